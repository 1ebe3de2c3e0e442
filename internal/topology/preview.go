package topology

import (
	"cmp"
	"slices"

	"github.com/capstan-portal/capstan/internal/message"
)

// namesShown is how many machines a Preview names.
const namesShown = 10

// NewPreview foretells what setting a pool's replicas to to would do.
//
// Machines that are already being deleted go whatever happens and come first
// in the controllers' order too: they are named only where they are what the
// change takes away.
func NewPreview(c Cluster, pool Pool, to int) Preview {
	p := Preview{Pool: pool.Name, Kind: pool.Kind, From: pool.Wish, To: to, Notes: waits(c)}
	if pool.Kind == PoolControlPlane && to == 1 {
		p.Notes = append(p.Notes, message.New("note.single-control-plane"))
	}
	from := max(pool.Counts.Desired, 0)
	if pool.Wish != nil {
		from = *pool.Wish
	}
	p.Confirm = confirm(from, to)
	if to >= from {
		p.Added = to - from
		return p
	}
	p.Removed = goFirst(c.Machines, pool, from, to)
	p.Rest = from - to - len(p.Removed)
	return p
}

// NewFreeze foretells what taking a pool from the autoscaler at to would do.
func NewFreeze(c Cluster, pool Pool, to int) Preview {
	p := NewPreview(c, pool, to)
	p.Switch = ModeFixed
	if p.From == nil && pool.Counts.Desired >= 0 {
		now := pool.Counts.Desired
		p.From = &now
	}
	return p
}

// NewSwitch foretells what giving a pool to the autoscaler would do. A number
// that the pool gives up is brought into the range at once, by the defaulting
// webhook of MachineDeployments; one that was given up before is not touched.
func NewSwitch(c Cluster, pool Pool, r Range) Preview {
	now := pool.Counts.Desired
	p := Preview{Pool: pool.Name, Kind: pool.Kind, From: pool.Wish, To: now, Switch: ModeAutoscaled, Range: &r, Notes: waits(c)}
	if now < 0 {
		return p
	}
	inside := max(r.Min, min(now, r.Max))
	switch {
	case inside == now:
	case pool.Wish != nil && c.Topology && pool.Kind == PoolMachineDeployment:
		to := inside
		p = NewPreview(c, pool, to)
		p.Switch, p.Range = ModeAutoscaled, &r
		p.Notes = append(p.Notes, message.New("note.range-clamps", message.Num("from", now), message.Num("to", to)))
	case now < r.Min:
		p.Notes = append(p.Notes, message.New("note.min-does-not-lift", message.Num("now", now), message.Num("min", r.Min)))
	default:
		p.Notes = append(p.Notes, message.New("note.max-does-not-lower", message.Num("now", now), message.Num("max", r.Max)))
	}
	return p
}

// waits says what keeps a change of the cluster from taking effect.
func waits(c Cluster) []message.Text {
	var notes []message.Text
	if c.Pause.Requested {
		notes = append(notes, message.New("note.paused"))
	}
	if c.ClassUnready {
		notes = append(notes, message.New("note.class", message.Str("class", c.Class.String())))
	}
	return notes
}

func confirm(from, to int) Confirm {
	switch {
	case to >= from:
		return ConfirmNone
	case to == 0:
		return ConfirmZero
	case to*2 <= from:
		return ConfirmHalf
	default:
		return ConfirmNone
	}
}

// goFirst names the machines that leave, at most namesShown. A control plane
// is never foretold beyond what is marked: its controller also weighs failure
// domains and etcd members.
func goFirst(all []Machine, pool Pool, from, to int) []string {
	var live, leaving []Machine
	for _, m := range all {
		switch {
		case m.Pool != pool.Name || m.ControlPlane != (pool.Kind == PoolControlPlane):
		case m.Deleting:
			leaving = append(leaving, m)
		default:
			live = append(live, m)
		}
	}
	take := min(max(len(live)-to, 0), from-to)
	live = slices.SortedFunc(slices.Values(live), deletionOrder(pool.Order))
	if pool.Kind == PoolControlPlane {
		live = slices.DeleteFunc(live, func(m Machine) bool { return !m.Marked })
	}
	leaving = leaving[:min(len(leaving), from-to-take)]
	return firstNames(append(leaving, live[:min(len(live), take)]...))
}

func firstNames(machines []Machine) []string {
	var names []string
	for _, m := range machines[:min(len(machines), namesShown)] {
		names = append(names, m.Name)
	}
	return names
}

// deletionOrder is the order in which a MachineSet picks machines when it
// shrinks (CAPI core/reconcilers/machineset/machineset_deletion_order.go).
// Before that, the MachineDeployment empties its older MachineSets.
func deletionOrder(order string) func(a, b Machine) int {
	return func(a, b Machine) int {
		if by := cmp.Compare(urgency(a), urgency(b)); by != 0 {
			return by
		}
		if urgency(a) == ordinary {
			// Equal ages are told apart by name, as in the controller.
			switch order {
			case "Newest":
				if by := b.Created.Compare(a.Created); by != 0 {
					return by
				}
			case "Oldest":
				if by := a.Created.Compare(b.Created); by != 0 {
					return by
				}
			}
		}
		return cmp.Compare(a.Name, b.Name)
	}
}

// ordinary is the urgency of a machine without anything special.
const ordinary = 4

func urgency(m Machine) int {
	switch {
	case m.Outdated:
		return 0
	case m.Marked:
		return 1
	case m.Updating:
		return 2
	case !m.Healthy:
		return 3
	default:
		return ordinary
	}
}

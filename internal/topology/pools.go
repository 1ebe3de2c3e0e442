package topology

import (
	"cmp"

	"github.com/capstan-portal/capstan/internal/message"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

func (m *mapper) newPool(s source) Pool {
	p := Pool{
		Name: s.name, Class: s.class, Kind: s.kind, Object: s.object, Wish: number(s.replicas),
		Min: s.span.min, Max: s.span.max, Order: cmp.Or(s.order, string(clusterv1.RandomMachineSetDeletionOrder)),
		Mode: s.mode(), Counts: m.counts(s), Locked: m.lockedText(s), Fault: m.fault(s),
		Inherited: s.inherited, Ranged: s.ranged, Setter: s.setter,
	}
	if wish := max(p.Counts.Desired, 0); s.kind == PoolControlPlane {
		p.Limit = controlPlaneEnd(wish, p.Counts.Total, m.max)
	} else {
		p.Limit = SliderEnd(wish, p.Counts.Total, m.max)
	}
	p.Freeze, p.Release = m.switches(s, p)
	p.Progress = m.progress(s, p.Counts)
	p.State = m.poolState(s, p)
	return p
}

func (s source) mode() Mode {
	switch {
	// A cluster without a topology has the autoscaler's number in the spec.
	case s.span.complete() && (s.replicas == nil || s.kind != PoolControlPlane && s.class == ""):
		return ModeAutoscaled
	case s.replicas == nil:
		return ModeExternal
	default:
		return ModeFixed
	}
}

// counts are the pool's numbers: of the machines themselves where they can be
// read, else of the object's status, which can't tell those being deleted.
func (m *mapper) counts(s source) Counts {
	out := s.counts
	missing := len(s.machines) == 0 && out.Total > 0 // the machines are not of kind Machine
	if !m.denied(KindMachine) && !missing {
		out = machineCounts(s.machines, s.counts.Desired)
	}
	if s.replicas != nil {
		out.Desired = int(*s.replicas)
	}
	return out
}

// lockedText says why nobody can scale the pool here.
func (m *mapper) lockedText(s source) message.Text {
	switch {
	case !m.c.DeletionTimestamp.IsZero():
		return message.New("locked.deleting")
	case !s.locked.IsZero():
		return s.locked
	case s.mode() == ModeAutoscaled:
		return s.span.locked()
	case s.managed:
		return message.New("locked.managed")
	case s.span.named > 0:
		return s.span.locked()
	case s.mode() == ModeExternal:
		return message.New("locked.external")
	default:
		return message.Text{}
	}
}

// switches says what can be done about who decides.
func (m *mapper) switches(s source, p Pool) (freeze, release bool) {
	if s.kind == PoolControlPlane || s.managed || !s.locked.IsZero() || !m.c.DeletionTimestamp.IsZero() {
		return false, false
	}
	odd := p.Mode != ModeFixed || !p.Fault.IsZero()
	return odd && !s.inherited && p.Counts.Desired >= 0, true
}

// fault says what is wrong with how the pool's number is set.
func (m *mapper) fault(s source) message.Text {
	if s.class == "" && s.span.named > 0 && !s.span.complete() {
		// Without a topology the number stands in the spec beside the range.
		return s.span.fault(nil)
	}
	if s.kind == PoolControlPlane || s.managed || s.class == "" {
		return message.Text{}
	}
	if s.replicas == nil && s.span.named == 0 && m.o.Class == nil {
		// The class, which may hold the range, can't be read.
		return message.Text{}
	}
	return s.span.fault(s.replicas)
}

// poolState is the first that holds, in the same order as a cluster's.
func (m *mapper) poolState(s source, p Pool) State {
	fault := p.Fault
	switch {
	case s.deleting || !m.c.DeletionTimestamp.IsZero():
		return plain(StateDeleting)
	case !fault.IsZero():
		return because(StateStalled, message.Sub("why", fault))
	case pauseOf(m.c).Requested:
		return plain(StatePaused)
	case p.Progress != nil && p.Progress.Ended.IsZero() && !p.Progress.Stalled.IsZero():
		return because(StateStalled, message.Sub("why", p.Progress.Stalled))
	case !s.unknown && len(s.conditions) == 0 && p.Counts.Total <= 0 && p.Counts.Desired > 0:
		return plain(StateCreating)
	case m.topology && s.version != "" && s.version != m.c.Spec.Topology.Version:
		return upgrading(m.c.Spec.Topology.Version)
	case p.Progress != nil && p.Progress.Ended.IsZero():
		return scaling(p.Progress.From, p.Progress.To)
	}
	return m.poolRest(s, p)
}

func (m *mapper) poolRest(s source, p Pool) State {
	available := find(s.conditions, clusterv1.AvailableCondition)
	switch {
	case is(s.conditions, clusterv1.RollingOutCondition, metav1.ConditionTrue),
		p.Counts.UpToDate >= 0 && p.Counts.UpToDate < p.Counts.Total:
		return plain(StateRollout)
	case p.Counts.Total < 0 || available != nil && available.Status == metav1.ConditionUnknown:
		return plain(StateUnknown)
	case available != nil && available.Status == metav1.ConditionFalse && !m.justFilled(available, p.Counts):
		return because(StateStalled, whyOf(available))
	case p.Counts.Ready < p.Counts.Total:
		return because(StateStalled, whyOf(find(s.conditions, clusterv1.MachinesReadyCondition)))
	default:
		return plain(StateHealthy)
	}
}

// justFilled tells that all machines are ready and only the condition, which
// is counted later, does not say so yet.
func (m *mapper) justFilled(available *metav1.Condition, n Counts) bool {
	full := n.Desired >= 0 && n.Total == n.Desired && n.Ready == n.Desired
	return full && m.now.Sub(available.LastTransitionTime.Time) < graceQuiet
}

package topology

import (
	"slices"
	"time"

	"github.com/capstan-portal/capstan/internal/message"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// steps are the stations from the written spec to the last machine.
func (t track) steps() []Step {
	steps := []Step{{Text: message.New("step.spec"), State: StepDone, At: t.began}}
	if t.m.topology && !t.s.unknown {
		steps = append(steps, t.plain("step.topology", t.copied(), t.since(t.m.c.Status.Conditions,
			clusterv1.ClusterTopologyReconciledCondition)))
	}
	if !t.s.unknown {
		steps = append(steps, t.plain(t.objectKey(), t.scaled() && t.setsFollow(), t.scaledAt()))
	}
	if t.grows() {
		steps = append(steps, t.growSteps()...)
	} else {
		steps = append(steps, t.shrinkStep())
	}
	inOrder(steps)
	inTime(steps)
	return steps
}

// inTime keeps the times of done steps from running backwards: conditions and
// creation times come from several clocks and are cut to seconds.
func inTime(steps []Step) {
	var last time.Time
	for i := range steps {
		if steps[i].At.IsZero() {
			continue
		}
		if steps[i].At.Before(last) {
			steps[i].At = last
		}
		last = steps[i].At
	}
}

func (t track) plain(key message.Key, done bool, at time.Time) Step {
	s := Step{Text: message.New(key), State: StepWaiting}
	if done {
		s.State, s.At = StepDone, at
	}
	return s
}

// inOrder sets the first step that is not done to running, and those counted
// steps behind it that have already advanced.
func inOrder(steps []Step) {
	first := true
	for i := range steps {
		if steps[i].State == StepDone {
			continue
		}
		if first || steps[i].Done > 0 {
			steps[i].State = StepRunning
		}
		first = false
	}
}

func (t track) objectKey() message.Key {
	switch t.s.kind {
	case PoolControlPlane:
		return "step.control-plane"
	case PoolMachinePool:
		return "step.pool"
	default:
		return "step.deployment"
	}
}

// setsFollow tells whether the MachineSets add up to the wish, where they can
// be read.
func (t track) setsFollow() bool {
	if t.s.kind != PoolMachineDeployment || len(t.m.sets) == 0 {
		return true
	}
	sum, found := 0, false
	for _, ms := range t.m.sets {
		if ms.Labels[clusterv1.MachineDeploymentNameLabel] == t.s.object && ms.Spec.Replicas != nil {
			sum, found = sum+int(*ms.Spec.Replicas), true
		}
	}
	return !found || sum == t.to
}

// since is when a condition last changed, if that was after the change began.
func (t track) since(conditions []metav1.Condition, kind string) time.Time {
	c := find(conditions, kind)
	if c == nil || c.LastTransitionTime.Time.Before(t.began.Truncate(time.Second)) {
		return time.Time{}
	}
	return c.LastTransitionTime.Time
}

func (t track) scaledAt() time.Time {
	if t.grows() {
		return t.since(t.s.conditions, clusterv1.ScalingUpCondition)
	}
	return t.since(t.s.conditions, clusterv1.ScalingDownCondition)
}

func (t track) growSteps() []Step {
	total := t.to - t.from
	if len(t.s.machines) == 0 {
		return []Step{
			t.counted("step.created", clamp(t.n.Total-t.from, total), total, time.Time{}),
			t.counted("step.ready", clamp(t.n.Ready-t.from, total), total, time.Time{}),
		}
	}
	fresh := t.newcomers(total)
	steps := []Step{t.counted("step.created", len(fresh), total, latest(fresh, createdAt))}
	for _, station := range []struct {
		key   message.Key
		types []string
	}{
		{"step.booted", []string{clusterv1.InfrastructureReadyCondition, clusterv1.BootstrapConfigReadyCondition}},
		{"step.ready", []string{clusterv1.ReadyCondition}},
	} {
		there := slices.DeleteFunc(slices.Clone(fresh), func(m *clusterv1.Machine) bool { return !allTrue(m, station.types) })
		steps = append(steps, t.counted(station.key, len(there), total, latest(there, trueSince(station.types))))
	}
	return steps
}

func (t track) shrinkStep() Step {
	total := t.from - t.to
	left := clamp(t.n.Total+max(t.n.Deleting, 0)-t.to, total)
	at := latest(t.s.machines, func(m *clusterv1.Machine) time.Time {
		if m.DeletionTimestamp == nil {
			return time.Time{}
		}
		return m.DeletionTimestamp.Time
	})
	if left == 0 {
		at = t.ended()
	}
	return t.counted("step.deleted", total-left, total, at)
}

func (t track) counted(key message.Key, done, total int, at time.Time) Step {
	s := Step{Text: message.New(key), State: StepWaiting, Done: done, Total: total, At: at}
	if done >= total && t.scaled() {
		s.State = StepDone
	}
	return s
}

// newcomers are the machines of this change: of a known change the youngest,
// else those that are not ready yet. At most total.
func (t track) newcomers(total int) []*clusterv1.Machine {
	var out []*clusterv1.Machine
	for _, m := range t.s.machines {
		ready := is(m.Status.Conditions, clusterv1.ReadyCondition, metav1.ConditionTrue)
		if m.DeletionTimestamp.IsZero() && (t.change != nil || !ready) {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b *clusterv1.Machine) int {
		return b.CreationTimestamp.Compare(a.CreationTimestamp.Time)
	})
	// Of a known change, what was there before is not new even if it is young.
	if t.change != nil {
		total = clamp(len(out)-t.from, total)
	}
	return out[:min(len(out), total)]
}

func allTrue(m *clusterv1.Machine, types []string) bool {
	for _, kind := range types {
		if !is(m.Status.Conditions, kind, metav1.ConditionTrue) {
			return false
		}
	}
	return true
}

func trueSince(types []string) func(*clusterv1.Machine) time.Time {
	return func(m *clusterv1.Machine) time.Time {
		var at time.Time
		for _, kind := range types {
			if c := find(m.Status.Conditions, kind); c != nil && c.LastTransitionTime.After(at) {
				at = c.LastTransitionTime.Time
			}
		}
		return at
	}
}

func createdAt(m *clusterv1.Machine) time.Time { return m.CreationTimestamp.Time }

func latest(machines []*clusterv1.Machine, when func(*clusterv1.Machine) time.Time) time.Time {
	var at time.Time
	for _, m := range machines {
		if t := when(m); t.After(at) {
			at = t
		}
	}
	return at
}

// clamp is n within 0 and most.
func clamp(n, most int) int { return max(0, min(n, most)) }

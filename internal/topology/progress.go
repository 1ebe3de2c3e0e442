package topology

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// afterglow is how long a finished change stays visible.
const afterglow = 10 * time.Minute

// progress is the way of the pool to its wish, made of objects alone, so that
// it is the same after a reload and on every replica. nil when there is none.
func (m *mapper) progress(s source, n Counts) *Progress {
	to := n.Desired
	if to < 0 || n.Total < 0 {
		return nil
	}
	ch := m.changeTo(s, to)
	from, ok := fromOf(ch, s, n)
	if !ok || from == to {
		return nil
	}
	t := track{m: m, s: s, n: n, from: from, to: to, change: ch}
	if ch != nil {
		t.began = ch.At
	} else {
		t.began = t.guessBegin()
	}
	p := &Progress{From: from, To: to, Began: t.began, Steps: t.steps()}
	if ch != nil {
		p.Who = ch.Who
	}
	if t.done() {
		p.Ended = t.ended()
		if ch == nil || m.now.Sub(p.Ended) > afterglow {
			return nil
		}
		return p
	}
	p.Stalled = t.stalled()
	markStalled(p)
	return p
}

// changeTo is the latest change of the pool if it is the one that the spec
// still follows: somebody else may have written another number since.
func (m *mapper) changeTo(s source, to int) *Change {
	ch := newest(m.o.Changes, func(ch Change) bool {
		return ch.UID == string(m.c.UID) && ch.Kind == s.kind && ch.Pool == s.name
	})
	if ch == nil || ch.To == nil || *ch.To != to {
		return nil
	}
	return ch
}

// fromOf is where the way began: what the person saw, else what there is now.
func fromOf(ch *Change, s source, n Counts) (int, bool) {
	if ch != nil && ch.From != nil {
		return *ch.From, true
	}
	if is(s.conditions, clusterv1.RollingOutCondition, metav1.ConditionTrue) {
		// A roll-out has more machines than wished, or fewer ready, all the time.
		return 0, false
	}
	if there := n.Total + max(n.Deleting, 0); there > n.Desired {
		return there, true
	}
	return n.Ready, n.Ready >= 0
}

// markStalled puts the standstill on the first step that is not done.
func markStalled(p *Progress) {
	if p.Stalled.IsZero() {
		return
	}
	for i := range p.Steps {
		if p.Steps[i].State != StepDone {
			p.Steps[i].State = StepStalled
			return
		}
	}
}

// track is one change of a pool and what there is of it.
type track struct {
	m        *mapper
	s        source
	n        Counts
	from, to int
	change   *Change
	began    time.Time
}

func (t track) grows() bool { return t.to > t.from }

// done tells whether the truth has reached the wish.
func (t track) done() bool {
	if !t.scaled() || t.n.Total != t.to || t.n.Deleting > 0 {
		return false
	}
	return !t.grows() || t.n.Ready == t.to
}

// scaled tells whether the object has the wished number and its controller has
// seen it. An object that can't be read is judged by its machines alone.
func (t track) scaled() bool {
	return t.s.unknown || t.copied() && t.s.settled
}

// copied tells whether the topology controller has handed the number down.
func (t track) copied() bool {
	return t.s.scaledTo != nil && *t.s.scaledTo == t.to
}

// guessBegin is when the pool began to scale, as its conditions have it.
func (t track) guessBegin() time.Time {
	kind := clusterv1.ScalingUpCondition
	if !t.grows() {
		kind = clusterv1.ScalingDownCondition
	}
	if c := find(t.s.conditions, kind); c != nil {
		return c.LastTransitionTime.Time
	}
	return time.Time{}
}

// ended is when the last machine became ready or was gone, as far as objects
// still tell.
func (t track) ended() time.Time {
	at := t.began
	later := func(other time.Time) {
		if other.After(at) {
			at = other
		}
	}
	if t.grows() {
		for _, m := range t.s.machines {
			if c := find(m.Status.Conditions, clusterv1.ReadyCondition); c != nil {
				later(c.LastTransitionTime.Time)
			}
		}
	}
	if t.grows() && len(t.s.machines) > 0 {
		return at
	}
	for _, kind := range []string{clusterv1.ScalingUpCondition, clusterv1.ScalingDownCondition} {
		if c := find(t.s.conditions, kind); c != nil {
			later(c.LastTransitionTime.Time)
		}
	}
	return at
}

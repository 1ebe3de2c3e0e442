package topology

import (
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// DecisionKind says what is to be done about a Wish.
type DecisionKind string

// The decisions.
const (
	DecidePatch     DecisionKind = "patch"     // send Decision.Patch
	DecideAlready   DecisionKind = "already"   // the wished number stands there: nothing to write
	DecideConflict  DecisionKind = "conflict"  // another number stands there than the person saw
	DecideGone      DecisionKind = "gone"      // the pool is not there any more
	DecideRecreated DecisionKind = "recreated" // another cluster lives under the name
	DecideLocked    DecisionKind = "locked"    // nobody can scale it here, see Decision.Failure
)

// Decision is what a Wish means for the object as it is now.
type Decision struct {
	Kind  DecisionKind
	Patch []byte // a JSON patch (RFC 6902), for DecidePatch only
	Now   *int   // replicas now; nil: unset
	Range *Range // the autoscaler's range now; nil: none
	// Failure is what to tell the person; nil for DecidePatch and DecideAlready.
	Failure *fail.Error
}

// Scale decides from the live Cluster of a topology what to write. class is its
// ClusterClass, which may hold an autoscaler's range; nil when it is not known.
// A failed patch is decided anew from a fresh read: the index of the pool may
// have moved, and the API server doesn't say which test failed.
func Scale(c *clusterv1.Cluster, class *clusterv1.ClusterClass, w Wish) Decision {
	if string(c.UID) != w.UID {
		return recreated(w)
	}
	s, ok := findSlot(c, class, w.Kind, w.Pool)
	if !ok {
		return gone(w)
	}
	if !c.DeletionTimestamp.IsZero() {
		return refused(s, fail.New(fail.Invalid, message.New("locked.deleting")))
	}
	return s.decide(w, controlPlaneKind(c, class))
}

// ScaleDeployment decides from the live MachineDeployment of a cluster without
// a topology what to write on it. One that a topology owns is never written.
func ScaleDeployment(md *clusterv1.MachineDeployment, w Wish) Decision {
	if uid := ownerUID(md); uid != "" && uid != w.UID {
		return recreated(w)
	}
	if md.Name != w.Pool || w.Kind != PoolMachineDeployment || md.Labels[clusterv1.ClusterNameLabel] != w.Name {
		return gone(w)
	}
	s := deploymentSlot(md)
	if _, owned := md.Labels[clusterv1.ClusterTopologyOwnedLabel]; owned {
		return refused(s, fail.New(fail.Invalid, message.New("locked.owned")))
	}
	if !md.DeletionTimestamp.IsZero() {
		return refused(s, fail.New(fail.Invalid, message.New("locked.deleting")))
	}
	return s.decide(w, "")
}

// decide compares what stands there with what was seen and what is wished.
func (s slot) decide(w Wish, cpKind string) Decision {
	if locked := s.locked(); !locked.IsZero() {
		return refused(s, fail.New(fail.Invalid, locked))
	}
	if failure := s.mayBecome(w); failure != nil {
		return refused(s, failure)
	}
	now := number(s.now)
	switch {
	case s.stands(w):
		return Decision{Kind: DecideAlready, Now: now}
	case !same(now, w.Seen) && !s.movesAlone(w):
		return Decision{Kind: DecideConflict, Now: now, Failure: fail.New(fail.Conflict,
			message.New("scale.conflict", shown("now", now), shown("seen", w.Seen)))}
	case w.Switch != "" && !sameRange(s.span().whole(), w.SeenRange):
		return Decision{Kind: DecideConflict, Now: now, Failure: fail.New(fail.Conflict, message.New("scale.range-changed"))}
	}
	if failure := checkWish(w, cpKind); failure != nil {
		return refused(s, failure)
	}
	return Decision{Kind: DecidePatch, Now: now, Range: s.span().whole(), Patch: s.patch(w)}
}

// movesAlone tells whether the number is the autoscaler's own and the wish does
// not touch it: without a topology it stands in the spec beside the range.
func (s slot) movesAlone(w Wish) bool {
	return s.plain && w.Switch == ModeAutoscaled && w.SeenRange != nil && sameRange(s.span().whole(), w.SeenRange)
}

// stands tells whether all of the wish has come true already.
func (s slot) stands(w Wish) bool {
	there := s.now != nil && int(*s.now) == w.Replicas
	switch w.Switch {
	case ModeAutoscaled:
		return (s.now == nil || s.plain) && w.Range != nil && sameRange(s.span().whole(), w.Range)
	case ModeFixed:
		return there && rangeOf(s.own).named == 0
	default:
		return there
	}
}

func checkWish(w Wish, cpKind string) *fail.Error {
	if w.Switch == ModeAutoscaled {
		return checkRange(w.Range)
	}
	return checkReplicas(w.Replicas, w.Kind, cpKind)
}

// controlPlaneKind is what the Cluster names or, before it does, what its class
// will make.
func controlPlaneKind(c *clusterv1.Cluster, class *clusterv1.ClusterClass) string {
	if kind := c.Spec.ControlPlaneRef.Kind; kind != "" || class == nil {
		return kind
	}
	return strings.TrimSuffix(class.Spec.ControlPlane.TemplateRef.Kind, "Template")
}

func refused(s slot, failure *fail.Error) Decision {
	return Decision{Kind: DecideLocked, Now: number(s.now), Failure: failure}
}

func recreated(w Wish) Decision {
	return Decision{Kind: DecideRecreated, Failure: fail.New(fail.Conflict,
		message.New("scale.recreated", message.Str("cluster", w.Name)))}
}

func gone(w Wish) Decision {
	return Decision{Kind: DecideGone, Failure: fail.New(fail.Conflict,
		message.New("scale.gone", message.Str("pool", w.Pool), message.Str("cluster", w.Name)))}
}

// shown is an argument with a number of machines that may be unset.
func shown(name string, n *int) message.Arg {
	if n == nil {
		return message.Sub(name, message.New("scale.unset"))
	}
	return message.Str(name, strconv.Itoa(*n))
}

func same(a, b *int) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// number turns an API number into ours.
func number(n *int32) *int {
	if n == nil {
		return nil
	}
	v := int(*n)
	return &v
}

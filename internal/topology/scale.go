package topology

import (
	"strconv"

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
	// Failure is what to tell the person; nil for DecidePatch and DecideAlready.
	Failure *fail.Error
}

// Scale decides from the live Cluster of a topology what to write. A failed
// patch is decided anew from a fresh read: the index of the pool may have
// moved, and the API server doesn't say which test failed.
func Scale(c *clusterv1.Cluster, w Wish) Decision {
	if string(c.UID) != w.UID {
		return recreated(w)
	}
	s, ok := findSlot(c, w.Kind, w.Pool)
	if !ok {
		return gone(w)
	}
	d := decide(s.replicas, w, s.locked(c), c.Spec.ControlPlaneRef.Kind)
	if d.Kind == DecidePatch {
		d.Patch = s.patch(string(c.UID), w)
	}
	return d
}

// ScaleDeployment decides from the live MachineDeployment of a cluster without
// a topology what to write on it. One that a topology owns is never written.
func ScaleDeployment(md *clusterv1.MachineDeployment, w Wish) Decision {
	if uid := ownerUID(md); uid != "" && uid != w.UID {
		return recreated(w)
	}
	if md.Name != w.Pool || md.Labels[clusterv1.ClusterNameLabel] != w.Name {
		return gone(w)
	}
	d := decide(md.Spec.Replicas, w, deploymentLocked(md), "")
	if d.Kind == DecidePatch {
		d.Patch = deploymentPatch(md, w)
	}
	return d
}

// decide compares what stands there with what was seen and what is wished.
func decide(live *int32, w Wish, locked message.Text, cpKind string) Decision {
	now := number(live)
	switch {
	case !locked.IsZero():
		return Decision{Kind: DecideLocked, Now: now, Failure: fail.New(fail.Invalid, locked)}
	case now != nil && *now == w.Replicas:
		return Decision{Kind: DecideAlready, Now: now}
	case !same(now, w.Seen):
		return Decision{Kind: DecideConflict, Now: now, Failure: fail.New(fail.Conflict,
			message.New("scale.conflict", shown("now", now), shown("seen", w.Seen)))}
	}
	if failure := checkReplicas(w.Replicas, w.Kind, cpKind); failure != nil {
		return Decision{Kind: DecideLocked, Now: now, Failure: failure}
	}
	return Decision{Kind: DecidePatch, Now: now}
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

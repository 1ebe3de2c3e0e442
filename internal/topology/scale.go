package topology

import (
	"github.com/capstan-portal/capstan/internal/fail"

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

// ParseReplicas reads what a person typed as a number of machines. max is the
// maximum per pool.
func ParseReplicas(text string, kind PoolKind, controlPlaneKind string, max int) (int, *fail.Error) {
	return 0, nil
}

// Scale decides from the live Cluster of a topology what to write.
func Scale(c *clusterv1.Cluster, w Wish) Decision { return Decision{} }

// ScaleDeployment decides from the live MachineDeployment of a cluster without
// a topology what to write on it.
func ScaleDeployment(md *clusterv1.MachineDeployment, w Wish) Decision { return Decision{} }

// NewPreview foretells what setting a pool's replicas to to would do.
func NewPreview(c Cluster, pool Pool, to int) Preview { return Preview{} }

// SliderEnd is where a pool's slider ends.
func SliderEnd(wish, total, max int) int { return max }

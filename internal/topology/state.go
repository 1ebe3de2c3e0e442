package topology

import (
	"time"

	"github.com/capstan-portal/capstan/internal/message"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// How long something may be wrong before it counts as trouble.
const (
	graceRetry    = 30 * time.Second // a topology controller retries conflicts at once
	graceQuiet    = 3 * time.Minute  // nothing is under way
	graceMoving   = 15 * time.Minute // machines come or go, which takes its time
	graceCreating = 30 * time.Minute // from nothing to the first control plane
	// newborn is how young a cluster is that was never complete. Its conditions
	// don't keep whether it ever was Available.
	newborn = 10 * time.Minute
	// settling is how long after ScalingUp went False new machines may still
	// be starting.
	settling = 5 * time.Minute
	// statusLag is how long the Cluster's status may be behind a write.
	statusLag = 30 * time.Second
)

// judge finds the state of a Cluster from the Cluster alone, so that list and
// page agree.
type judge struct {
	c           *clusterv1.Cluster
	cp, workers Counts
	change      *Change // the newest that is still under way
	now         time.Time
}

func initialized(c *clusterv1.Cluster) bool {
	done := c.Status.Initialization.ControlPlaneInitialized
	return done != nil && *done
}

func plain(kind StateKind) State {
	return State{Kind: kind, Text: message.New(message.Key("state." + string(kind)))}
}

func because(kind StateKind, why message.Arg) State {
	return State{Kind: kind, Text: message.New(message.Key("state."+string(kind)), why)}
}

func scaling(from, to int) State {
	kind := StateScaleUp
	if to < from {
		kind = StateScaleDown
	}
	return State{Kind: kind, Text: message.New(message.Key("state."+string(kind)),
		message.Num("from", from), message.Num("to", to))}
}

func upgrading(version string) State {
	return State{Kind: StateUpgrading, Text: message.New("state.upgrading", message.Str("version", version))}
}

// state is the first that holds. Paused comes before everything that moves or
// doesn't: while the controllers stand still, that is why.
func (j judge) state() State {
	c := j.c
	if !c.DeletionTimestamp.IsZero() {
		return plain(StateDeleting)
	}
	paused := pauseOf(c).Requested
	if s, found := j.trouble(); found && (s.Kind == StateFailed || !paused) {
		return s
	}
	scale, isScaling := j.scaling()
	switch {
	case paused:
		return plain(StatePaused)
	case j.creating():
		return plain(StateCreating)
	case j.upgrades():
		return upgrading(c.Spec.Topology.Version)
	case isScaling:
		return scale
	case j.rollsOut():
		return plain(StateRollout)
	case j.outOfSync():
		if classUnready(c, nil) {
			return State{Kind: StateOutOfSync, Text: message.New("state.class-unready")}
		}
		return plain(StateOutOfSync)
	}
	return j.rest()
}

// rest is the state of a cluster in which nothing goes on.
func (j judge) rest() State {
	available := find(j.c.Status.Conditions, clusterv1.AvailableCondition)
	switch {
	case available == nil || available.Status == metav1.ConditionUnknown:
		return plain(StateUnknown)
	case available.Status == metav1.ConditionFalse:
		return because(StateStalled, whyOf(available))
	default:
		return plain(StateHealthy)
	}
}

// trouble finds what has failed or does not go on.
func (j judge) trouble() (State, bool) {
	conditions := j.c.Status.Conditions
	topology := find(conditions, clusterv1.ClusterTopologyReconciledCondition)
	if topology != nil && topology.Status == metav1.ConditionFalse &&
		topology.Reason == clusterv1.ClusterTopologyReconciledFailedReason && j.older(topology, graceRetry) {
		return because(StateStalled, whyOf(topology)), true
	}
	available := find(conditions, clusterv1.AvailableCondition)
	if j.c.Status.Phase == string(clusterv1.ClusterPhaseFailed) {
		return because(StateFailed, whyOf(available)), true
	}
	if !initialized(j.c) {
		late := j.now.Sub(j.c.CreationTimestamp.Time) > graceCreating
		return because(StateStalled, whyOf(available)), late && j.quiet()
	}
	if !j.quiet() {
		return State{}, false
	}
	for _, kind := range []string{clusterv1.ClusterControlPlaneAvailableCondition,
		clusterv1.ClusterRemoteConnectionProbeCondition, clusterv1.ClusterInfrastructureReadyCondition} {
		if is(conditions, kind, metav1.ConditionFalse) {
			return because(StateFailed, whyOf(find(conditions, kind))), true
		}
	}
	if available != nil && available.Status == metav1.ConditionFalse {
		return because(StateStalled, whyOf(available)), true
	}
	return State{}, false
}

// quiet tells whether nothing has moved for longer than what is under way may
// take.
func (j judge) quiet() bool {
	grace := graceQuiet
	for _, kind := range []string{clusterv1.ScalingUpCondition, clusterv1.ScalingDownCondition, clusterv1.RollingOutCondition} {
		if is(j.c.Status.Conditions, kind, metav1.ConditionTrue) {
			grace = graceMoving
		}
	}
	last := lastMove(j.c.Status.Conditions)
	if j.change != nil && j.change.At.After(last) {
		last = j.change.At
	}
	return j.now.Sub(last) > grace
}

func (j judge) older(c *metav1.Condition, than time.Duration) bool {
	return j.now.Sub(c.LastTransitionTime.Time) > than
}

func (j judge) creating() bool {
	if !initialized(j.c) {
		return true
	}
	young := j.now.Sub(j.c.CreationTimestamp.Time) < newborn
	return young && j.change == nil && !is(j.c.Status.Conditions, clusterv1.AvailableCondition, metav1.ConditionTrue)
}

// whyOf is the argument "why" of a state: the controllers' own words.
func whyOf(c *metav1.Condition) message.Arg {
	if c != nil {
		if text := lead(c.Message); text != "" {
			return message.Str("why", text)
		}
		if c.Reason != "" {
			return message.Str("why", c.Reason)
		}
	}
	return message.Sub("why", message.New("why.unavailable"))
}

func pauseOf(c *clusterv1.Cluster) Pause {
	_, annotated := c.Annotations[clusterv1.PausedAnnotation]
	return Pause{
		Requested:    annotated || c.Spec.Paused != nil && *c.Spec.Paused,
		Acknowledged: is(c.Status.Conditions, clusterv1.PausedCondition, metav1.ConditionTrue),
	}
}

package topology

import (
	"cmp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// find gives the condition of a type; nil when there is none.
func find(conditions []metav1.Condition, kind string) *metav1.Condition {
	for i := range conditions {
		if conditions[i].Type == kind {
			return &conditions[i]
		}
	}
	return nil
}

// is tells whether the condition of a type has a status; an absent condition
// has none.
func is(conditions []metav1.Condition, kind string, status metav1.ConditionStatus) bool {
	c := find(conditions, kind)
	return c != nil && c.Status == status
}

// newConditions maps the Cluster's conditions, trouble first.
func newConditions(c *clusterv1.Cluster) []Condition {
	var out []Condition
	for _, from := range c.Status.Conditions {
		out = append(out, Condition{
			Type: from.Type, Status: string(from.Status), Reason: from.Reason, Message: from.Message,
			Since: from.LastTransitionTime.Time, Tone: toneOf(c, from),
		})
	}
	slices.SortStableFunc(out, func(a, b Condition) int {
		return cmp.Or(cmp.Compare(toneRank(a.Tone), toneRank(b.Tone)), strings.Compare(a.Type, b.Type))
	})
	return out
}

func toneRank(t Tone) int {
	return slices.Index([]Tone{ToneBad, ToneWarn, ToneMoving, ToneGood, ToneNeutral}, t)
}

// toneOf takes a condition as CAPI means it: most say something good when True
// (positive polarity), these few tell of something that goes on, and gates have
// the polarity that the Cluster gives them.
func toneOf(c *clusterv1.Cluster, from metav1.Condition) Tone {
	switch from.Type {
	case clusterv1.RollingOutCondition, clusterv1.ScalingUpCondition, clusterv1.ScalingDownCondition,
		clusterv1.DeletingCondition:
		return goesOn(from.Status, ToneMoving)
	case clusterv1.RemediatingCondition:
		return goesOn(from.Status, ToneWarn)
	case clusterv1.PausedCondition:
		return goesOn(from.Status, ToneNeutral)
	}
	if negative(c, from.Type) {
		from.Status = opposite(from.Status)
	}
	switch from.Status {
	case metav1.ConditionTrue:
		return ToneGood
	case metav1.ConditionUnknown:
		return ToneWarn
	}
	return falseTone(c, from)
}

func goesOn(status metav1.ConditionStatus, tone Tone) Tone {
	switch status {
	case metav1.ConditionTrue:
		return tone
	case metav1.ConditionUnknown:
		return ToneWarn
	default:
		return ToneNeutral
	}
}

func falseTone(c *clusterv1.Cluster, from metav1.Condition) Tone {
	switch from.Type {
	case clusterv1.ClusterTopologyReconciledCondition:
		if from.Reason == clusterv1.ClusterTopologyReconciledFailedReason {
			return ToneBad
		}
		if from.Reason == clusterv1.ClusterTopologyReconciledClusterClassNotReconciledReason {
			return ToneWarn
		}
		return ToneMoving
	case clusterv1.ClusterControlPlaneMachinesUpToDateCondition, clusterv1.ClusterWorkerMachinesUpToDateCondition,
		clusterv1.ClusterControlPlaneInitializedCondition:
		return ToneMoving
	case clusterv1.ClusterControlPlaneMachinesReadyCondition, clusterv1.ClusterWorkerMachinesReadyCondition:
		return ToneWarn
	}
	if !initialized(c) {
		return ToneMoving
	}
	return ToneBad
}

func negative(c *clusterv1.Cluster, kind string) bool {
	for _, gate := range c.Spec.AvailabilityGates {
		if gate.ConditionType == kind {
			return gate.Polarity == clusterv1.NegativePolarityCondition
		}
	}
	return false
}

func opposite(s metav1.ConditionStatus) metav1.ConditionStatus {
	switch s {
	case metav1.ConditionTrue:
		return metav1.ConditionFalse
	case metav1.ConditionFalse:
		return metav1.ConditionTrue
	default:
		return s
	}
}

// lead is the first line of a condition's message that says something: CAPI
// nests lists, and their heads ("* WorkersAvailable:") only name the place.
func lead(text string) string {
	return abridge(leadLine(text), leadLimit)
}

// leadLimit keeps a state to a line or three, whatever a provider writes; the
// whole text stands with the conditions.
const leadLimit = 200

// abridge shortens a text to most characters.
func abridge(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return strings.TrimSpace(string(runes[:most])) + "…"
	}
	return text
}

func leadLine(text string) string {
	first := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "*-"))
		if line == "" {
			continue
		}
		if first == "" {
			first = line
		}
		if !strings.HasSuffix(line, ":") {
			return line
		}
	}
	return strings.TrimSuffix(first, ":")
}

// lastMove is when one of the conditions last changed its status.
func lastMove(conditions []metav1.Condition) time.Time {
	var at time.Time
	for i := range conditions {
		if t := conditions[i].LastTransitionTime.Time; t.After(at) {
			at = t
		}
	}
	return at
}

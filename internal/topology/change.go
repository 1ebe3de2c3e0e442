package topology

import (
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// ReasonCreated is the reason of the Event that tells of a cluster's creation.
const ReasonCreated = "Created"

// Component is the reportingComponent of the portal's own Events.
const Component = "capstan"

// The annotations of the portal's Events. Pages read these and never parse an
// Event's message.
const (
	annotationPrefix     = "capstan.dev/"
	annotationUID        = annotationPrefix + "cluster-uid"
	annotationPool       = annotationPrefix + "pool"
	annotationKind       = annotationPrefix + "pool-kind"
	annotationWho        = annotationPrefix + "who"
	annotationDisplay    = annotationPrefix + "who-display"
	annotationFrom       = annotationPrefix + "from"
	annotationTo         = annotationPrefix + "to"
	annotationMin        = annotationPrefix + "min"
	annotationMax        = annotationPrefix + "max"
	annotationFromMin    = annotationPrefix + "from-min"
	annotationFromMax    = annotationPrefix + "from-max"
	annotationGeneration = annotationPrefix + "generation"
	annotationRequest    = annotationPrefix + "request-id"
	annotationAt         = annotationPrefix + "at"
)

// EventAnnotations is how a Change is kept in the annotations of an Event. An
// unset number has no annotation.
func EventAnnotations(c Change) map[string]string {
	out := map[string]string{
		annotationUID: c.UID, annotationPool: c.Pool, annotationKind: string(c.Kind),
		annotationWho: c.Who, annotationDisplay: c.Display, annotationRequest: c.RequestID,
		annotationGeneration: strconv.FormatInt(c.Generation, 10),
		annotationAt:         c.At.UTC().Format(time.RFC3339Nano),
	}
	if c.From != nil {
		out[annotationFrom] = strconv.Itoa(*c.From)
	}
	if c.To != nil {
		out[annotationTo] = strconv.Itoa(*c.To)
	}
	if c.Range != nil {
		out[annotationMin], out[annotationMax] = strconv.Itoa(c.Range.Min), strconv.Itoa(c.Range.Max)
	}
	if c.Before != nil {
		out[annotationFromMin], out[annotationFromMax] = strconv.Itoa(c.Before.Min), strconv.Itoa(c.Before.Max)
	}
	return out
}

// ChangeFrom reads a Change from one of the portal's Events; false when it is
// none, or is about another object than it says.
func ChangeFrom(e *corev1.Event) (Change, bool) {
	a := e.Annotations
	c := Change{
		UID: a[annotationUID], Pool: a[annotationPool], Kind: PoolKind(a[annotationKind]),
		Who: a[annotationWho], Display: a[annotationDisplay], RequestID: a[annotationRequest],
		Created: e.Reason == ReasonCreated, From: replicasIn(a, annotationFrom), To: replicasIn(a, annotationTo), At: eventTime(e),
	}
	if g, err := strconv.ParseInt(a[annotationGeneration], 10, 64); err == nil {
		c.Generation = g
	}
	c.Range, c.Before = rangeIn(a, annotationMin, annotationMax), rangeIn(a, annotationFromMin, annotationFromMax)
	ours := e.ReportingController == Component || e.Source.Component == Component
	about := e.InvolvedObject.UID == "" || string(e.InvolvedObject.UID) == c.UID
	known := c.Kind == PoolControlPlane || c.Kind == PoolMachineDeployment || c.Kind == PoolMachinePool
	scaled := known && (c.To != nil || c.Range != nil)
	return c, ours && about && c.UID != "" && (c.Created || scaled)
}

// Person is what pages call the one who made the change.
func (c Change) Person() string {
	if c.Display != "" {
		return c.Display
	}
	return c.Who
}

func replicasIn(annotations map[string]string, name string) *int {
	return size(annotations[name])
}

func rangeIn(annotations map[string]string, low, high string) *Range {
	lowest, highest := replicasIn(annotations, low), replicasIn(annotations, high)
	if lowest == nil || highest == nil {
		return nil
	}
	return &Range{*lowest, *highest}
}

// eventTime is when the change was made: exactly where the portal wrote it,
// else as exactly as the Event says.
func eventTime(e *corev1.Event) time.Time {
	if at, err := time.Parse(time.RFC3339Nano, e.Annotations[annotationAt]); err == nil {
		return at
	}
	for _, at := range []time.Time{e.EventTime.Time, e.FirstTimestamp.Time, e.LastTimestamp.Time} {
		if !at.IsZero() {
			return at
		}
	}
	return e.CreationTimestamp.Time
}

// newest is the latest change that matches.
func newest(changes []Change, matches func(Change) bool) *Change {
	var found *Change
	for i := range changes {
		if c := &changes[i]; matches(*c) && (found == nil || c.At.After(found.At)) {
			found = c
		}
	}
	return found
}

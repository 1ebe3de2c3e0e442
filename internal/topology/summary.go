package topology

import (
	"time"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// NewSummary maps a row of the cluster list from the Cluster alone; changes
// are the portal's own, in any order, and may be nil.
func NewSummary(c *clusterv1.Cluster, changes []Change, now time.Time) Summary {
	cp, workers := controlPlaneCounts(c), workerCounts(c)
	j := judge{c: c, cp: cp, workers: workers, now: now,
		change: underWay(c, cp, workers, changes, now)}
	return Summary{
		Ref: Ref{c.Namespace, c.Name}, UID: string(c.UID), Class: classOf(c), Version: versionOf(c),
		Created: c.CreationTimestamp.Time, Labels: c.Labels, State: j.state(),
		Follows: follows(c), ControlPlane: cp, Workers: workers,
	}
}

// classOf names the class; its namespace defaults to the cluster's own.
func classOf(c *clusterv1.Cluster) Ref {
	if !c.Spec.Topology.IsDefined() {
		return Ref{}
	}
	key := c.GetClassKey()
	return Ref{key.Namespace, key.Name}
}

// versionOf is the wished version, else the one that the control plane has.
func versionOf(c *clusterv1.Cluster) string {
	if c.Spec.Topology.IsDefined() {
		return c.Spec.Topology.Version
	}
	if s := c.Status.ControlPlane; s != nil && len(s.Versions) > 0 {
		return s.Versions[0].Version
	}
	return ""
}

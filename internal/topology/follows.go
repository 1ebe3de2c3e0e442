package topology

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Follows says whether a cluster is as its class has it.
type Follows string

// The answers. A Cluster doesn't note which revision of its class it was last
// reconciled with, so FollowsYes holds only while the class is reconciled too.
const (
	FollowsUnknown Follows = "" // nobody has said so yet
	FollowsYes     Follows = "yes"
	FollowsWaiting Follows = "waiting" // part of it is not applied yet, see the cluster
	FollowsFailed  Follows = "failed"  // it could not be applied
	FollowsPaused  Follows = "paused"  // nothing is applied until it is resumed
)

// follows reads the condition TopologyReconciled (Cluster API:
// internal/controllers/topology/cluster/conditions.go), which counts for the
// generation that it has seen only.
func follows(c *clusterv1.Cluster) Follows {
	if !c.Spec.Topology.IsDefined() {
		return FollowsUnknown
	}
	if pauseOf(c).Requested {
		return FollowsPaused
	}
	topology := find(c.Status.Conditions, clusterv1.ClusterTopologyReconciledCondition)
	switch {
	case topology == nil || topology.Status == metav1.ConditionUnknown:
		return FollowsUnknown
	case topology.Reason == clusterv1.ClusterTopologyReconciledFailedReason:
		return FollowsFailed
	case topology.Status != metav1.ConditionTrue:
		return FollowsWaiting
	case topology.ObservedGeneration != 0 && topology.ObservedGeneration != c.Generation:
		return FollowsWaiting
	}
	return FollowsYes
}

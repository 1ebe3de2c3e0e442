package topology_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/topology"
)

func TestFollows(t *testing.T) {
	reconciled := func(status metav1.ConditionStatus, reason string, generation int64) *clusterv1.Cluster {
		c := &clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Generation: 3}}
		c.Spec.Topology.ClassRef.Name, c.Spec.Topology.Version = "plain", "v1.35.0"
		c.Status.Conditions = []metav1.Condition{{Type: clusterv1.ClusterTopologyReconciledCondition, Status: status, Reason: reason, ObservedGeneration: generation}}
		return c
	}
	yes, no := metav1.ConditionTrue, metav1.ConditionFalse
	paused := reconciled(yes, "", 3)
	on := true
	paused.Spec.Paused = &on
	silent := reconciled(yes, "", 3)
	silent.Status.Conditions = nil
	tests := map[string]struct {
		cluster *clusterv1.Cluster
		want    topology.Follows
	}{
		"applied":                 {reconciled(yes, clusterv1.ClusterTopologyReconcileSucceededReason, 3), topology.FollowsYes},
		"applied to an older one": {reconciled(yes, clusterv1.ClusterTopologyReconcileSucceededReason, 2), topology.FollowsWaiting},
		"an upgrade is under way": {reconciled(no, clusterv1.ClusterTopologyReconciledClusterUpgradingReason, 3), topology.FollowsWaiting},
		"failed":                  {reconciled(no, clusterv1.ClusterTopologyReconciledFailedReason, 3), topology.FollowsFailed},
		"paused":                  {paused, topology.FollowsPaused},
		"nothing said yet":        {silent, topology.FollowsUnknown},
		"without a topology":      {&clusterv1.Cluster{}, topology.FollowsUnknown},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := topology.NewSummary(test.cluster, nil, time.Now()).Follows; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

package topology

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// upgrades tells whether the cluster is on its way to another version.
func (j judge) upgrades() bool {
	wish := j.c.Spec.Topology.Version
	if wish == "" {
		return false
	}
	if topology := find(j.c.Status.Conditions, clusterv1.ClusterTopologyReconciledCondition); topology != nil &&
		topology.Status == metav1.ConditionFalse && upgradeReason(topology.Reason) {
		return true
	}
	if s := j.c.Status.ControlPlane; s != nil && (len(s.UpgradePlan) > 0 || differs(s.Versions, wish)) {
		return true
	}
	s := j.c.Status.Workers
	return s != nil && (len(s.UpgradePlan) > 0 || differs(s.Versions, wish))
}

func upgradeReason(reason string) bool {
	switch reason {
	case clusterv1.ClusterTopologyReconciledClusterUpgradingReason,
		clusterv1.ClusterTopologyReconciledMachineDeploymentsUpgradeDeferredReason,
		clusterv1.ClusterTopologyReconciledMachinePoolsUpgradeDeferredReason,
		// CAPI before 1.12 said it in parts.
		clusterv1.ClusterTopologyReconciledControlPlaneUpgradePendingReason,
		clusterv1.ClusterTopologyReconciledMachineDeploymentsUpgradePendingReason,
		clusterv1.ClusterTopologyReconciledMachinePoolsUpgradePendingReason,
		clusterv1.ClusterTopologyReconciledHookBlockingReason:
		return true
	}
	return false
}

func differs(versions []clusterv1.StatusVersion, wish string) bool {
	for _, v := range versions {
		if v.Version != wish {
			return true
		}
	}
	return false
}

// scaling says from what to what: as the person wished it while that change is
// under way, else from what the Cluster's counters tell.
func (j judge) scaling() (State, bool) {
	if ch := j.change; ch != nil {
		from := max(j.section(ch.Kind).Ready, 0)
		if ch.From != nil {
			from = *ch.From
		}
		return scaling(from, *ch.To), true
	}
	if is(j.c.Status.Conditions, clusterv1.RollingOutCondition, metav1.ConditionTrue) {
		// A roll-out has more machines than wished for a while.
		return State{}, false
	}
	for _, n := range []Counts{j.cp, j.workers} {
		switch {
		case n.Desired < 0 || n.Total < 0:
		case n.Total > n.Desired:
			return scaling(n.Total, n.Desired), true
		case n.Total < n.Desired, n.Ready >= 0 && n.Ready < n.Desired && j.settles():
			return scaling(max(min(n.Ready, n.Total), 0), n.Desired), true
		}
	}
	return State{}, false
}

// settles tells whether machines were added a moment ago and may be starting.
func (j judge) settles() bool {
	up := find(j.c.Status.Conditions, clusterv1.ScalingUpCondition)
	return up != nil && !j.older(up, settling)
}

func (j judge) section(kind PoolKind) Counts {
	if kind == PoolControlPlane {
		return j.cp
	}
	return j.workers
}

func (j judge) rollsOut() bool {
	if is(j.c.Status.Conditions, clusterv1.RollingOutCondition, metav1.ConditionTrue) {
		return true
	}
	for _, n := range []Counts{j.cp, j.workers} {
		if n.UpToDate >= 0 && n.UpToDate < n.Total {
			return true
		}
	}
	return false
}

func (j judge) outOfSync() bool {
	return is(j.c.Status.Conditions, clusterv1.ClusterTopologyReconciledCondition, metav1.ConditionFalse)
}

// underWay finds the newest change that wished what stands in the spec now and
// is not yet reached.
func underWay(c *clusterv1.Cluster, cp, workers Counts, changes []Change, now time.Time) *Change {
	return newest(changes, func(ch Change) bool {
		if ch.UID != string(c.UID) || ch.To == nil || same(ch.From, ch.To) {
			return false
		}
		n := workers
		if ch.Kind == PoolControlPlane {
			n = cp
		}
		if c.Spec.Topology.IsDefined() {
			s, ok := findSlot(c, nil, ch.Kind, ch.Pool)
			return ok && same(number(s.now), ch.To) && !reached(n)
		}
		// Without a topology the wish stands on the MachineDeployment, which
		// the Cluster's status follows a moment later.
		return !reached(n) || now.Sub(ch.At) < statusLag
	})
}

func reached(n Counts) bool {
	there := n.Available
	if there < 0 {
		there = n.Ready
	}
	return n.Total == n.Desired && there == n.Desired
}

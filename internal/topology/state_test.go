package topology_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

const (
	yes = metav1.ConditionTrue
	no  = metav1.ConditionFalse
)

// english says texts as people read them.
func english(t *testing.T) message.Printer {
	t.Helper()
	c, err := message.Load()
	if err != nil {
		t.Fatal(err)
	}
	return c.Printer(message.English)
}

func TestSummaryState(t *testing.T) {
	now := testkit.Epoch().Add(time.Hour)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	scaled := func(total, ready int32) *testkit.ClusterBuilder {
		return testkit.NewCluster("team-a", "prod").Pool("md-0", 8).WorkersStatus(total, ready)
	}
	whole := func() *testkit.ClusterBuilder {
		return testkit.NewCluster("team-a", "prod").Pool("md-0", 3).WorkersStatus(3, 3)
	}
	down := "* WorkersAvailable:\n  * MachineDeployment md-0: 2 available replicas, at least 3 required"
	up := change(twoPools(), "md-0", ptr(3), ptr(8), ago(time.Minute))
	stale := change(twoPools(), "md-0", ptr(1), ptr(9), ago(time.Minute))
	cases := []struct {
		name    string
		c       *testkit.ClusterBuilder
		changes []topology.Change
		kind    topology.StateKind
		words   string
	}{
		{"healthy", whole(), nil, topology.StateHealthy, "Healthy"},
		{"deleting", whole().Deleting(ago(time.Minute)).Paused(), nil, topology.StateDeleting, "Deleting"},
		{"paused", whole().Paused(), nil, topology.StatePaused, "Paused"},
		{"paused by annotation", whole().Change(func(c *clusterv1.Cluster) { c.Annotations[clusterv1.PausedAnnotation] = "" }), nil,
			topology.StatePaused, "Paused"},
		{"paused before it was ever made", whole().Paused().Change(func(c *clusterv1.Cluster) { c.Status = clusterv1.ClusterStatus{} }), nil,
			topology.StatePaused, "Paused"},
		{"being created", whole().Created(ago(time.Minute)).Change(func(c *clusterv1.Cluster) { c.Status = clusterv1.ClusterStatus{} }), nil,
			topology.StateCreating, "Being created"},
		{"first workers of a young cluster", whole().Created(ago(2*time.Minute)).WorkersStatus(3, 0).
			Condition(clusterv1.AvailableCondition, no, down, ago(time.Minute)), nil, topology.StateCreating, "Being created"},
		{"never finished being created", whole().Change(func(c *clusterv1.Cluster) { c.Status.Initialization = clusterv1.ClusterInitializationStatus{} }).
			Condition(clusterv1.AvailableCondition, no, "* InfrastructureReady: no quota", ago(50*time.Minute)), nil,
			topology.StateStalled, "Stalled: InfrastructureReady: no quota"},
		{"scaling as a person wished it", scaled(6, 4), []topology.Change{up}, topology.StateScaleUp, "Scaling 3 → 8"},
		{"scaling while new machines are not ready", scaled(8, 5), []topology.Change{up}, topology.StateScaleUp, "Scaling 3 → 8"},
		{"scaled as wished", scaled(8, 8), []topology.Change{up}, topology.StateHealthy, "Healthy"},
		{"scaling by somebody else", scaled(3, 3), []topology.Change{stale}, topology.StateScaleUp, "Scaling 3 → 8"},
		{"shrinking by somebody else", scaled(11, 11), nil, topology.StateScaleDown, "Scaling 11 → 8"},
		{"a change of a cluster made anew", scaled(3, 3), []topology.Change{{UID: "another", Pool: "md-0",
			Kind: topology.PoolMachineDeployment, From: ptr(1), To: ptr(8), At: now}}, topology.StateScaleUp, "Scaling 3 → 8"},
		{"upgrading by reason", whole().Reason(clusterv1.ClusterTopologyReconciledCondition, no,
			clusterv1.ClusterTopologyReconciledClusterUpgradingReason, "Cluster is upgrading", ago(time.Minute)), nil,
			topology.StateUpgrading, "Upgrading to v1.35.0"},
		{"upgrading by versions", whole().Change(func(c *clusterv1.Cluster) {
			c.Status.ControlPlane.Versions = []clusterv1.StatusVersion{{Version: "v1.34.0", Replicas: 1}}
		}), nil, topology.StateUpgrading, "Upgrading to v1.35.0"},
		{"rolling out with one machine more", whole().WorkersStatus(4, 3).
			Condition(clusterv1.RollingOutCondition, yes, "", ago(time.Minute)), nil, topology.StateRollout, "Rolling out"},
		{"class not reconciled", whole().Reason(clusterv1.ClusterTopologyReconciledCondition, no,
			clusterv1.ClusterTopologyReconciledClusterClassNotReconciledReason, "", ago(time.Minute)), nil,
			topology.StateOutOfSync, "Its class is not reconciled"},
		{"topology fails", whole().Reason(clusterv1.ClusterTopologyReconciledCondition, no,
			clusterv1.ClusterTopologyReconciledFailedReason, "error computing the desired state: no such variable", ago(time.Minute)), nil,
			topology.StateStalled, "Stalled: error computing the desired state: no such variable"},
		{"topology fails for a moment", whole().Reason(clusterv1.ClusterTopologyReconciledCondition, no,
			clusterv1.ClusterTopologyReconciledFailedReason, "conflict", ago(time.Second)), nil, topology.StateOutOfSync, "Not in sync with its class"},
		{"workers stay away", whole().WorkersStatus(3, 2).Condition(clusterv1.AvailableCondition, no, down, ago(10*time.Minute)), nil,
			topology.StateStalled, "Stalled: MachineDeployment md-0: 2 available replicas, at least 3 required"},
		{"a scaling that stands still", scaled(5, 3).Condition(clusterv1.ScalingUpCondition, yes, "", ago(40*time.Minute)).
			Condition(clusterv1.AvailableCondition, no, down, ago(40*time.Minute)), nil,
			topology.StateStalled, "Stalled: MachineDeployment md-0: 2 available replicas, at least 3 required"},
		{"a scaling that takes its time", scaled(5, 3).Condition(clusterv1.ScalingUpCondition, yes, "", ago(5*time.Minute)).
			Condition(clusterv1.AvailableCondition, no, down, ago(5*time.Minute)), nil, topology.StateScaleUp, "Scaling 3 → 8"},
		{"control plane is down", whole().Condition(clusterv1.AvailableCondition, no, "* ControlPlaneAvailable: etcd has lost quorum", ago(10*time.Minute)).
			Condition(clusterv1.ClusterControlPlaneAvailableCondition, no, "etcd has lost quorum", ago(10*time.Minute)), nil,
			topology.StateFailed, "Failed: etcd has lost quorum"},
		{"control plane is down and paused", whole().Paused().
			Condition(clusterv1.ClusterControlPlaneAvailableCondition, no, "etcd has lost quorum", ago(10*time.Minute)), nil,
			topology.StateFailed, "Failed: etcd has lost quorum"},
		{"nothing known", whole().Change(func(c *clusterv1.Cluster) { c.Status.Conditions = nil }), nil, topology.StateUnknown, "Unknown"},
		{"availability unknown", whole().Condition(clusterv1.AvailableCondition, metav1.ConditionUnknown, "", ago(time.Minute)), nil,
			topology.StateUnknown, "Unknown"},
		{"no counters at all", whole().Change(func(c *clusterv1.Cluster) { c.Status.ControlPlane, c.Status.Workers = nil, nil }), nil,
			topology.StateHealthy, "Healthy"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			s := topology.NewSummary(tc.c.Build(), tc.changes, now).State
			if words := english(t).Say(s.Text); s.Kind != tc.kind || words != tc.words {
				t.Errorf("state = %s %q, want %s %q", s.Kind, words, tc.kind, tc.words)
			}
		})
	}
}

func TestSummaryCounts(t *testing.T) {
	unknown := topology.Counts{Desired: -1, Total: -1, Ready: -1, Available: -1, UpToDate: -1, Deleting: -1}
	bare := testkit.NewCluster("team-a", "prod").WithoutTopology().Change(func(c *clusterv1.Cluster) {
		c.Status.ControlPlane, c.Status.Workers = nil, nil
	}).Build()
	s := topology.NewSummary(bare, nil, testkit.Epoch())
	if s.ControlPlane != unknown || s.Workers != unknown {
		t.Errorf("unreported counters = %+v, %+v; want all -1", s.ControlPlane, s.Workers)
	}
	if s.Class != (topology.Ref{}) || s.Version != "" {
		t.Errorf("class %v, version %q without a topology", s.Class, s.Version)
	}
	three := int32(3)
	c := testkit.NewCluster("team-a", "prod").Pool("md-0", 8).MachinePool("mp-0", &three).WorkersStatus(6, 5).Build()
	want := topology.Counts{Desired: 11, Total: 6, Ready: 5, Available: 5, UpToDate: 6, Deleting: -1}
	if got := topology.NewSummary(c, nil, testkit.Epoch()).Workers; got != want {
		t.Errorf("workers = %+v, want %+v: the spec's wish, the status's truth", got, want)
	}
	c = testkit.NewCluster("team-a", "prod").Pool("md-0", 8).AutoscaledPool("auto", "1", "9").WorkersStatus(6, 5).Build()
	if got := topology.NewSummary(c, nil, testkit.Epoch()).Workers.Desired; got != 6 {
		t.Errorf("desired = %d with an autoscaled pool, want the status's 6", got)
	}
}

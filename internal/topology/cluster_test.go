package topology_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// prod is a cluster with one pool md-0 whose object is named otherwise, and n
// ready machines in it.
func prod(replicas int32, machines ...*clusterv1.Machine) topology.Objects {
	c := testkit.NewCluster("team-a", "prod").Pool("md-0", replicas).WorkersStatus(3, 3).Build()
	md := testkit.NewDeployment(c, "md-0", "prod-x7k2p", replicas).Build()
	return topology.Objects{Cluster: c, MachineDeployments: []*clusterv1.MachineDeployment{md}, Machines: machines}
}

func machine(name string) *testkit.MachineBuilder {
	o := prod(3)
	return testkit.NewMachine(o.MachineDeployments[0], "prod-x7k2p-1", name)
}

func ready(names ...string) []*clusterv1.Machine {
	var out []*clusterv1.Machine
	for _, name := range names {
		out = append(out, machine(name).Build())
	}
	return out
}

func TestPoolCounts(t *testing.T) {
	at := testkit.Epoch()
	three := ready("a", "b", "c")
	mixed := append(ready("a"), machine("b").Starting(at, "waiting").Build(), machine("c").Deleting(at).Build())
	unknown := topology.Counts{Desired: 3, Total: -1, Ready: -1, Available: -1, UpToDate: -1, Deleting: -1}
	without := func(o topology.Objects, kinds ...topology.Kind) topology.Objects {
		o.Denied = map[topology.Kind]bool{}
		for _, k := range kinds {
			o.Denied[k] = true
			if k == topology.KindMachineDeployment {
				o.MachineDeployments = nil
			}
		}
		return o
	}
	cases := []struct {
		name string
		o    topology.Objects
		want topology.Counts
	}{
		{"of machines", prod(3, three...), topology.Counts{Desired: 3, Total: 3, Ready: 3, Available: 3, UpToDate: 3}},
		{"deleting machines are in neither number", prod(3, mixed...),
			topology.Counts{Desired: 3, Total: 2, Ready: 1, Available: 1, UpToDate: 2, Deleting: 1}},
		{"machines may not be read", without(prod(3), topology.KindMachine),
			topology.Counts{Desired: 3, Total: 3, Ready: 3, Available: 3, UpToDate: 3, Deleting: -1}},
		{"deployments may not be read", without(prod(3, three...), topology.KindMachineDeployment),
			topology.Counts{Desired: 3, Total: 3, Ready: 3, Available: 3, UpToDate: 3}},
		{"nothing may be read", without(prod(3), topology.KindMachine, topology.KindMachineDeployment), unknown},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, topology.NewCluster(tc.o, at).Pools[0].Counts); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPoolMode(t *testing.T) {
	class := &clusterv1.ClusterClass{}
	class.Spec.Workers.MachineDeployments = []clusterv1.MachineDeploymentClass{{Class: "default",
		Metadata: clusterv1.ObjectMeta{Annotations: testkit.Range("2", "6")}}}
	plainClass := &clusterv1.ClusterClass{}
	auto := func(low, high string) *clusterv1.Cluster {
		return testkit.NewCluster("team-a", "prod").AutoscaledPool("md-0", low, high).Build()
	}
	cases := []struct {
		name   string
		c      *clusterv1.Cluster
		class  *clusterv1.ClusterClass
		mode   topology.Mode
		locked string
		state  string
	}{
		{"fixed", testkit.NewCluster("team-a", "prod").Pool("md-0", 0).Build(), plainClass, topology.ModeFixed, "", "state.healthy"},
		{"range of the pool", auto("1", "9"), plainClass, topology.ModeAutoscaled, "locked.autoscaled", "state.healthy"},
		{"range of the class", auto("", ""), class, topology.ModeAutoscaled, "locked.autoscaled", "state.healthy"},
		{"one bound each", auto("1", ""), class, topology.ModeAutoscaled, "locked.autoscaled", "state.healthy"},
		{"half a range", auto("", "9"), plainClass, topology.ModeExternal, "locked.autoscaled-open", "state.stalled"},
		{"a range upside down", auto("9", "1"), plainClass, topology.ModeExternal, "locked.autoscaled-open", "state.stalled"},
		{"neither", auto("", ""), plainClass, topology.ModeExternal, "locked.external", "state.stalled"},
		{"neither, and the class is not readable", auto("", ""), nil, topology.ModeExternal, "locked.external", "state.healthy"},
		{"both", testkit.NewCluster("team-a", "prod").Pool("md-0", 3).Build(), class, topology.ModeFixed, "locked.autoscaled", "state.stalled"},
		{"deleting", testkit.NewCluster("team-a", "prod").Pool("md-0", 3).Deleting(testkit.Epoch()).Build(), plainClass,
			topology.ModeFixed, "locked.deleting", "state.deleting"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			p := topology.NewCluster(topology.Objects{Cluster: tc.c, Class: tc.class}, testkit.Epoch()).Pools[0]
			if p.Mode != tc.mode || string(p.Locked.Key) != tc.locked {
				t.Errorf("mode %s, locked %q; want %s, %q", p.Mode, p.Locked.Key, tc.mode, tc.locked)
			}
			if tc.state == "state.stalled" && string(p.State.Text.Key) != tc.state {
				t.Errorf("state %s, want %s", p.State.Text.Key, tc.state)
			}
		})
	}
}

func TestControlPlane(t *testing.T) {
	three := int32(3)
	c := testkit.NewCluster("team-a", "prod").ControlPlane(&three).CPStatus(3, 2).Build()
	denied := map[topology.Kind]bool{topology.KindMachine: true}
	cl := topology.NewCluster(topology.Objects{Cluster: c, Denied: denied, ControlPlane: testkit.NewControlPlane(c, 3, 2)}, testkit.Epoch())
	want := topology.Counts{Desired: 3, Total: 3, Ready: 2, Available: 2, UpToDate: 3, Deleting: -1}
	if cl.CP.Counts != want || cl.CPKind != kcp || cl.CP.Object != "prod-cp" || !cl.CP.Locked.IsZero() {
		t.Errorf("control plane = %+v of kind %s, want counts %+v", cl.CP, cl.CPKind, want)
	}
	hand := testkit.NewCluster("team-a", "hand").WithoutTopology().Build()
	cl = topology.NewCluster(topology.Objects{Cluster: hand, ControlPlane: testkit.NewControlPlane(hand, 3, 3)}, testkit.Epoch())
	if cl.CP.Locked.Key != "locked.control-plane-plain" || cl.CP.Wish == nil || *cl.CP.Wish != 3 {
		t.Errorf("control plane by hand: locked %q, wish %v; want it locked with wish 3", cl.CP.Locked.Key, cl.CP.Wish)
	}
	external := testkit.NewCluster("team-a", "prod").ControlPlane(nil).Build()
	if cp := topology.NewCluster(topology.Objects{Cluster: external}, testkit.Epoch()).CP; cp.Locked.Key != "locked.control-plane-external" {
		t.Errorf("control plane without replicas: locked %q", cp.Locked.Key)
	}
}

func TestPoolsWithoutTopology(t *testing.T) {
	c := testkit.NewCluster("team-a", "hand").WithoutTopology().Build()
	md := testkit.NewDeployment(c, "", "workers", 2).Build()
	cl := topology.NewCluster(topology.Objects{Cluster: c, MachineDeployments: []*clusterv1.MachineDeployment{md},
		Machines: []*clusterv1.Machine{testkit.NewMachine(md, "workers-1", "m1").Build()}}, testkit.Epoch())
	if len(cl.Pools) != 1 || cl.Pools[0].Name != "workers" || *cl.Pools[0].Wish != 2 || !cl.Pools[0].Locked.IsZero() {
		t.Errorf("pools = %+v, want the MachineDeployment itself", cl.Pools)
	}
	if cl.Machines[0].Pool != "workers" {
		t.Errorf("machine's pool = %q, want workers", cl.Machines[0].Pool)
	}
}

func TestPoolsAreMatchedByLabel(t *testing.T) {
	c := testkit.NewCluster("team-a", "prod").Pool("a", 1).Pool("a-b", 2).Build()
	// The names suggest the opposite of what the labels say.
	mds := []*clusterv1.MachineDeployment{
		testkit.NewDeployment(c, "a-b", "prod-a-xyz", 2).Build(), testkit.NewDeployment(c, "a", "prod-a-b-xyz", 1).Build(),
		testkit.NewDeployment(c, "removed", "prod-removed", 1).Build(),
	}
	pools := topology.NewCluster(topology.Objects{Cluster: c, MachineDeployments: mds}, testkit.Epoch()).Pools
	got := map[string]string{}
	for _, p := range pools {
		got[p.Name] = p.Object
	}
	want := map[string]string{"a": "prod-a-b-xyz", "a-b": "prod-a-xyz", "removed": "prod-removed"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("objects of pools (-want +got):\n%s", diff)
	}
	if pools[2].Locked.Key != "locked.not-in-topology" {
		t.Errorf("the pool that left the topology: locked %q", pools[2].Locked.Key)
	}
}

func TestMachines(t *testing.T) {
	at := testkit.Epoch()
	o := prod(3, machine("b").Starting(at.Add(time.Minute), "* InfrastructureReady: creating\n* NodeHealthy: waiting").Build(),
		machine("a").Build(), machine("c").Deleting(at).Build())
	o.Machines = append(o.Machines, testkit.NewControlPlaneMachine(o.Cluster, "cp").Build())
	got := topology.NewCluster(o, at).Machines
	var names []string
	for _, m := range got {
		names = append(names, m.Name)
	}
	if diff := cmp.Diff([]string{"cp", "a", "c", "b"}, names); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if m := got[0]; !m.ControlPlane || m.Pool != "" || !m.Ready || m.Node != "node-cp" || m.Version != "v1.35.0" {
		t.Errorf("control plane machine = %+v", m)
	}
	if m := got[3]; m.Pool != "md-0" || m.Phase != "Provisioning" || m.Ready || m.Healthy || m.Reason != "* InfrastructureReady: creating\n* NodeHealthy: waiting" {
		t.Errorf("starting machine = %+v", m)
	}
	if m := got[2]; m.Phase != "Deleting" || !m.Deleting || m.Ready {
		t.Errorf("deleting machine = %+v", m)
	}
}

func TestConditionTones(t *testing.T) {
	gate := clusterv1.ClusterAvailabilityGate{ConditionType: "BackupStale", Polarity: clusterv1.NegativePolarityCondition}
	cases := []struct {
		kind   string
		status metav1.ConditionStatus
		reason string
		want   topology.Tone
	}{
		{clusterv1.AvailableCondition, yes, "", topology.ToneGood},
		{clusterv1.AvailableCondition, no, "", topology.ToneBad},
		{clusterv1.AvailableCondition, metav1.ConditionUnknown, "", topology.ToneWarn},
		{clusterv1.RollingOutCondition, yes, "", topology.ToneMoving},
		{clusterv1.RollingOutCondition, no, "", topology.ToneNeutral},
		{clusterv1.ScalingDownCondition, yes, "", topology.ToneMoving},
		{clusterv1.DeletingCondition, no, "", topology.ToneNeutral},
		{clusterv1.RemediatingCondition, yes, "", topology.ToneWarn},
		{clusterv1.PausedCondition, yes, "", topology.ToneNeutral},
		{clusterv1.ClusterTopologyReconciledCondition, no, clusterv1.ClusterTopologyReconciledFailedReason, topology.ToneBad},
		{clusterv1.ClusterTopologyReconciledCondition, no, clusterv1.ClusterTopologyReconciledClusterUpgradingReason, topology.ToneMoving},
		{clusterv1.ClusterWorkerMachinesUpToDateCondition, no, "", topology.ToneMoving},
		{clusterv1.ClusterWorkerMachinesReadyCondition, no, "", topology.ToneWarn},
		{"BackupStale", yes, "", topology.ToneBad},
		{"BackupStale", no, "", topology.ToneGood},
	}
	for _, tc := range cases {
		t.Run(tc.kind+string(tc.status)+tc.reason, func(t *testing.T) {
			c := testkit.NewCluster("team-a", "prod").Reason(tc.kind, tc.status, tc.reason, "", testkit.Epoch()).Build()
			c.Spec.AvailabilityGates = []clusterv1.ClusterAvailabilityGate{gate}
			for _, got := range topology.NewCluster(topology.Objects{Cluster: c}, testkit.Epoch()).Conditions {
				if got.Type == tc.kind && got.Tone != tc.want {
					t.Errorf("tone = %s, want %s", got.Tone, tc.want)
				}
			}
		})
	}
}

func TestConditionsTroubleFirst(t *testing.T) {
	c := testkit.NewCluster("team-a", "prod").
		Condition(clusterv1.ScalingDownCondition, no, "", testkit.Epoch()).
		Condition(clusterv1.RollingOutCondition, yes, "", testkit.Epoch()).
		Condition(clusterv1.ClusterRemoteConnectionProbeCondition, no, "", testkit.Epoch()).Build()
	var got []string
	for _, cond := range topology.NewCluster(topology.Objects{Cluster: c}, testkit.Epoch()).Conditions {
		got = append(got, cond.Type)
	}
	if diff := cmp.Diff([]string{"RemoteConnectionProbe", "RollingOut", "Available", "ScalingDown"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

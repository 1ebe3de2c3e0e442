package topology_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

func TestSliderEnd(t *testing.T) {
	cases := []struct{ wish, total, max, want int }{
		{0, 0, 1000, 12}, {3, 3, 1000, 12}, {8, 3, 1000, 12}, {9, 9, 1000, 12}, {10, 10, 1000, 20}, {17, 0, 1000, 40},
		{33, 40, 1000, 100}, {400, 400, 1000, 1000}, {990, 1000, 1000, 1000}, {3, 3, 5, 5}, {3, -1, 1000, 12}, {1500, 1500, 1000, 1500},
	}
	for _, tc := range cases {
		if got := topology.SliderEnd(tc.wish, tc.total, tc.max); got != tc.want {
			t.Errorf("SliderEnd(%d, %d, %d) = %d, want %d", tc.wish, tc.total, tc.max, got, tc.want)
		}
	}
}

func TestPreview(t *testing.T) {
	at := testkit.Epoch()
	sick := machine("z-sick").Starting(at, "waiting").Build()
	marked := machine("y-marked").Annotate(clusterv1.DeleteMachineAnnotation, "").Build()
	leaving := machine("x-leaving").Deleting(at).Build()
	young, elder := machine("a-young").Ready(at.Add(time.Hour), at).Build(), machine("b-elder").Ready(at.Add(-time.Hour), at).Build()
	cases := []struct {
		name     string
		replicas int32
		order    clusterv1.MachineSetDeletionOrder
		machines []*clusterv1.Machine
		to       int
		want     topology.Preview
	}{
		{"growing", 3, "", ready("a", "b", "c"), 8, topology.Preview{Added: 5}},
		{"nothing", 3, "", ready("a", "b", "c"), 3, topology.Preview{}},
		{"marked, then unhealthy, then by name", 5, "", append(ready("b", "a", "c"), sick, marked), 3,
			topology.Preview{Removed: []string{"y-marked", "z-sick"}}},
		{"random goes by name", 4, "", ready("d", "b", "a", "c"), 3, topology.Preview{Removed: []string{"a"}}},
		{"newest first", 4, clusterv1.NewestMachineSetDeletionOrder, append(ready("c", "d"), young, elder), 3, topology.Preview{Removed: []string{"a-young"}}},
		{"oldest first", 4, clusterv1.OldestMachineSetDeletionOrder, append(ready("c", "d"), young, elder), 3, topology.Preview{Removed: []string{"b-elder"}}},
		{"what leaves already is what the change takes", 4, "", append(ready("a", "b", "c"), leaving), 3, topology.Preview{Removed: []string{"x-leaving"}}},
		{"what leaves already leaves whatever happens", 3, "", append(ready("a", "b", "c"), leaving), 2, topology.Preview{Removed: []string{"a"}}},
		{"by half", 4, "", ready("a", "b", "c", "d"), 2, topology.Preview{Removed: []string{"a", "b"}, Confirm: topology.ConfirmHalf}},
		{"to zero", 2, "", ready("a", "b"), 0, topology.Preview{Removed: []string{"a", "b"}, Confirm: topology.ConfirmZero}},
		{"ten are named", 13, "", ready("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"), 1,
			topology.Preview{Removed: []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}, Rest: 2, Confirm: topology.ConfirmHalf}},
		{"machines that nobody can name", 3, "", nil, 2, topology.Preview{Rest: 1}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			o := prod(tc.replicas, tc.machines...)
			o.Cluster.Spec.Topology.Workers.MachineDeployments[0].Deletion.Order = tc.order
			c := topology.NewCluster(o, at)
			tc.want.Pool, tc.want.Kind, tc.want.From, tc.want.To = "md-0", topology.PoolMachineDeployment, ptr(int(tc.replicas)), tc.to
			if diff := cmp.Diff(tc.want, topology.NewPreview(c, c.Pools[0], tc.to)); diff != "" {
				t.Errorf("preview (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPreviewEmptiesOldMachineSetsFirst(t *testing.T) {
	o := prod(3)
	md := o.MachineDeployments[0]
	o.MachineSets = []*clusterv1.MachineSet{testkit.NewMachineSet(md, "new", "2", 2), testkit.NewMachineSet(md, "old", "1", 1)}
	o.Machines = []*clusterv1.Machine{testkit.NewMachine(md, "new", "a").Build(), testkit.NewMachine(md, "new", "b").Build(),
		testkit.NewMachine(md, "old", "c").Build()}
	c := topology.NewCluster(o, testkit.Epoch())
	if diff := cmp.Diff([]string{"c"}, topology.NewPreview(c, c.Pools[0], 2).Removed); diff != "" {
		t.Errorf("removed (-want +got):\n%s", diff)
	}
}

func TestPreviewOfAControlPlaneForetellsOnlyMarked(t *testing.T) {
	three := int32(3)
	c := testkit.NewCluster("team-a", "prod").ControlPlane(&three).CPStatus(3, 3).Build()
	var machines []*clusterv1.Machine
	for _, name := range []string{"a", "b"} {
		machines = append(machines, testkit.NewControlPlaneMachine(c, name).Build())
	}
	machines = append(machines, testkit.NewControlPlaneMachine(c, "c").Annotate(clusterv1.DeleteMachineAnnotation, "").Build())
	cl := topology.NewCluster(topology.Objects{Cluster: c, Machines: machines}, testkit.Epoch())
	p := topology.NewPreview(cl, cl.CP, 1)
	if diff := cmp.Diff([]string{"c"}, p.Removed); diff != "" || p.Rest != 1 || p.Confirm != topology.ConfirmHalf {
		t.Errorf("preview = %+v, want c and one more, by half", p)
	}
}

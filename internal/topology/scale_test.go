package topology_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/google/go-cmp/cmp"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

const kcp = "KubeadmControlPlane"

func ptr(n int) *int { return &n }

func twoPools() *clusterv1.Cluster {
	three := int32(3)
	return testkit.NewCluster("team-a", "prod").Pool("md-0", 3).Pool("md-1", 5).MachinePool("mp-0", &three).
		AutoscaledPool("auto", "1", "9").AutoscaledPool("burst", "", "").AutoscaledPool("half", "1", "").
		AutoscaledPool("unset", "", "").MachinePool("managed", &three).Change(func(c *clusterv1.Cluster) {
		w := &c.Spec.Topology.Workers
		w.MachineDeployments[3].Class = "burst"
		w.MachinePools[1].Metadata.Annotations = map[string]string{clusterv1.ReplicasManagedByAnnotation: "external"}
	}).Build()
}

// elastic has a worker class "burst" with a range of the autoscaler.
func elastic() *clusterv1.ClusterClass {
	class := &clusterv1.ClusterClass{}
	burst := clusterv1.MachineDeploymentClass{Class: "burst"}
	burst.Metadata.Annotations = testkit.Range("1", "5")
	class.Spec.Workers.MachineDeployments = []clusterv1.MachineDeploymentClass{burst, {Class: "default"}}
	return class
}

func wish(c *clusterv1.Cluster, kind topology.PoolKind, pool string, seen *int, to int) topology.Wish {
	return topology.Wish{Ref: topology.Ref{Namespace: c.Namespace, Name: c.Name}, UID: string(c.UID),
		Pool: pool, Kind: kind, Seen: seen, Replicas: to}
}

func TestScaleDecides(t *testing.T) {
	c := twoPools()
	worker := topology.PoolMachineDeployment
	another := wish(c, worker, "md-0", ptr(3), 8)
	another.UID = "another"
	cases := []struct {
		name string
		c    *clusterv1.Cluster
		w    topology.Wish
		want topology.DecisionKind
		key  string
	}{
		{"patch", c, wish(c, worker, "md-0", ptr(3), 8), topology.DecidePatch, ""},
		{"already there, whatever was seen", c, wish(c, worker, "md-0", ptr(1), 3), topology.DecideAlready, ""},
		{"changed meanwhile", c, wish(c, worker, "md-0", ptr(4), 8), topology.DecideConflict, "scale.conflict"},
		{"unset was seen", c, wish(c, worker, "md-0", nil, 8), topology.DecideConflict, "scale.conflict"},
		{"pool has gone", c, wish(c, worker, "md-9", ptr(3), 8), topology.DecideGone, "scale.gone"},
		{"pool of another kind", c, wish(c, topology.PoolMachinePool, "md-0", ptr(3), 8), topology.DecideGone, "scale.gone"},
		{"cluster made anew", c, another, topology.DecideRecreated, "scale.recreated"},
		{"machine pool", c, wish(c, topology.PoolMachinePool, "mp-0", ptr(3), 8), topology.DecidePatch, ""},
		{"control plane", c, wish(c, topology.PoolControlPlane, "", ptr(1), 3), topology.DecidePatch, ""},
		{"even control plane", c, wish(c, topology.PoolControlPlane, "", ptr(1), 2), topology.DecideLocked, "replicas.control-plane-odd"},
		{"negative", c, wish(c, worker, "md-0", ptr(3), -1), topology.DecideLocked, "replicas.negative"},
		{"autoscaled", c, wish(c, worker, "auto", nil, 5), topology.DecideLocked, "locked.autoscaled"},
		{"autoscaled by its class", c, wish(c, worker, "burst", nil, 5), topology.DecideLocked, "locked.autoscaled"},
		{"half a range", c, wish(c, worker, "half", nil, 5), topology.DecideLocked, "locked.autoscaled-open"},
		{"number not set", c, wish(c, worker, "unset", nil, 5), topology.DecideLocked, "locked.external"},
		{"managed by somebody else", c, wish(c, topology.PoolMachinePool, "managed", ptr(3), 5), topology.DecideLocked, "locked.managed"},
		{"deleting", testkit.NewCluster("team-a", "prod").Pool("md-0", 3).Deleting(testkit.Epoch()).Build(),
			wish(c, worker, "md-0", ptr(3), 8), topology.DecideLocked, "locked.deleting"},
		{"control plane without replicas", testkit.NewCluster("team-a", "prod").ControlPlane(nil).Build(),
			wish(c, topology.PoolControlPlane, "", nil, 3), topology.DecideLocked, "locked.control-plane-external"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			d := topology.Scale(tc.c, elastic(), tc.w)
			key := ""
			if d.Failure != nil {
				key = string(d.Failure.Text.Key)
			}
			if d.Kind != tc.want || key != tc.key {
				t.Errorf("Scale = %s, %q; want %s, %q", d.Kind, key, tc.want, tc.key)
			}
			if (d.Kind == topology.DecidePatch) != (d.Patch != nil) {
				t.Errorf("patch = %s for the decision %s", d.Patch, d.Kind)
			}
		})
	}
}

func TestScalePatchText(t *testing.T) {
	c := twoPools()
	d := topology.Scale(c, nil, wish(c, topology.PoolMachineDeployment, "md-1", ptr(5), 8))
	const want = `[{"op":"test","path":"/metadata/uid","value":"Cluster-team-a-prod"},` +
		`{"op":"test","path":"/spec/topology/workers/machineDeployments/1/name","value":"md-1"},` +
		`{"op":"test","path":"/spec/topology/workers/machineDeployments/1/replicas","value":5},` +
		`{"op":"replace","path":"/spec/topology/workers/machineDeployments/1/replicas","value":8}]`
	if diff := cmp.Diff(want, string(d.Patch)); diff != "" {
		t.Errorf("patch (-want +got):\n%s", diff)
	}
}

func TestScaleSetsAnUnsetNumber(t *testing.T) {
	c := testkit.NewCluster("team-a", "prod").AutoscaledPool("md-0", "", "").Build()
	w := wish(c, topology.PoolMachineDeployment, "md-0", nil, 4)
	w.Switch = topology.ModeFixed
	d := topology.Scale(c, nil, w)
	after, err := apply(t, c, d.Patch)
	if err != nil {
		t.Fatalf("applying %s: %v", d.Patch, err)
	}
	if got := after.Spec.Topology.Workers.MachineDeployments[0].Replicas; got == nil || *got != 4 {
		t.Errorf("replicas = %v, want 4", got)
	}
}

func TestScalePatchFailsOnAnotherState(t *testing.T) {
	c := twoPools()
	patch := topology.Scale(c, nil, wish(c, topology.PoolMachineDeployment, "md-1", ptr(5), 8)).Patch
	pools := func(c *clusterv1.Cluster) []clusterv1.MachineDeploymentTopology {
		return c.Spec.Topology.Workers.MachineDeployments
	}
	six := int32(6)
	cases := map[string]func(*clusterv1.Cluster){
		"cluster made anew": func(c *clusterv1.Cluster) { c.UID = "another" },
		"pools swapped":     func(c *clusterv1.Cluster) { p := pools(c); p[0], p[1] = p[1], p[0] },
		"number changed":    func(c *clusterv1.Cluster) { pools(c)[1].Replicas = &six },
		"number unset":      func(c *clusterv1.Cluster) { pools(c)[1].Replicas = nil },
		"pool gone":         func(c *clusterv1.Cluster) { c.Spec.Topology.Workers.MachineDeployments = pools(c)[:1] },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			live := c.DeepCopy()
			change(live)
			if _, err := apply(t, live, patch); err == nil {
				t.Error("the patch was applied")
			}
		})
	}
}

func TestScaleDeployment(t *testing.T) {
	c := testkit.NewCluster("team-a", "hand").WithoutTopology().Build()
	md := testkit.NewDeployment(c, "", "workers", 3).Build()
	owned := md.DeepCopy()
	owned.Labels[clusterv1.ClusterTopologyOwnedLabel] = ""
	auto := md.DeepCopy()
	auto.Annotations = testkit.Range("1", "9")
	w := wish(c, topology.PoolMachineDeployment, "workers", ptr(3), 8)
	other := w
	other.Name = "other"
	anew := w
	anew.UID = "another"
	stale := w
	stale.Seen = ptr(2)
	cases := []struct {
		name string
		md   *clusterv1.MachineDeployment
		w    topology.Wish
		want topology.DecisionKind
	}{
		{"patch", md, w, topology.DecidePatch},
		{"another cluster's", md, other, topology.DecideGone},
		{"cluster made anew", md, anew, topology.DecideRecreated},
		{"changed meanwhile", md, stale, topology.DecideConflict},
		{"owned by a topology", owned, w, topology.DecideLocked},
		{"autoscaled", auto, w, topology.DecideLocked},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if d := topology.ScaleDeployment(tc.md, tc.w); d.Kind != tc.want {
				t.Errorf("ScaleDeployment = %s, want %s", d.Kind, tc.want)
			}
		})
	}
	const want = `[{"op":"test","path":"/metadata/uid","value":"MachineDeployment-team-a-workers"},` +
		`{"op":"test","path":"/metadata/name","value":"workers"},{"op":"test","path":"/spec/replicas","value":3},` +
		`{"op":"replace","path":"/spec/replicas","value":8}]`
	if diff := cmp.Diff(want, string(topology.ScaleDeployment(md, w).Patch)); diff != "" {
		t.Errorf("patch (-want +got):\n%s", diff)
	}
}

func FuzzScalePatch(f *testing.F) {
	f.Add("md-1", uint8(1), int32(5), 8)
	f.Add("a/b~c\"\\", uint8(3), int32(0), 1000)
	f.Add("", uint8(0), int32(7), 0)
	f.Fuzz(func(t *testing.T, name string, before uint8, from int32, to int) {
		if strings.ToValidUTF8(name, "") != name || name == "" {
			t.Skip("the API server has valid UTF-8 only, and no pool without a name")
		}
		b := testkit.NewCluster("team-a", "prod")
		for i := range before % 20 {
			b.Pool(name+"-"+string('a'+rune(i)), 1)
		}
		c := b.Pool(name, from).Pool(name+"-after", 2).Build()
		d := topology.Scale(c, nil, wish(c, topology.PoolMachineDeployment, name, ptr(int(from)), to))
		if d.Kind != topology.DecidePatch {
			return
		}
		after, err := apply(t, c, d.Patch)
		if err != nil {
			if to > math.MaxInt32 {
				return // no API number; ParseReplicas lets none through
			}
			t.Fatalf("applying %s: %v", d.Patch, err)
		}
		got := &after.Spec.Topology.Workers.MachineDeployments[before%20]
		if got.Replicas == nil || int(*got.Replicas) != to {
			t.Errorf("replicas = %v, want %d", got.Replicas, to)
		}
		got.Replicas = &from
		if diff := cmp.Diff(c, after); diff != "" {
			t.Errorf("the patch changed more than the replicas (-before +after):\n%s", diff)
		}
	})
}

// apply does what the API server does with a JSON patch.
func apply(t *testing.T, c *clusterv1.Cluster, patch []byte) (*clusterv1.Cluster, error) {
	t.Helper()
	before, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	p, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		t.Fatalf("%s is no patch: %v", patch, err)
	}
	text, err := p.Apply(before)
	if err != nil {
		return nil, err
	}
	after := &clusterv1.Cluster{}
	if err := json.Unmarshal(text, after); err != nil {
		return nil, err
	}
	// JSON knows instants in local time, and no empty maps.
	after.CreationTimestamp = c.CreationTimestamp
	after.Labels, after.Annotations = c.Labels, c.Annotations
	for i := range after.Status.Conditions {
		after.Status.Conditions[i].LastTransitionTime = c.Status.Conditions[i].LastTransitionTime
	}
	return after, nil
}

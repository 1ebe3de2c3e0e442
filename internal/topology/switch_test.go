package topology_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

func freeze(c *clusterv1.Cluster, pool string, seen *int, r *topology.Range, at int) topology.Wish {
	w := wish(c, topology.PoolMachineDeployment, pool, seen, at)
	w.Switch, w.SeenRange = topology.ModeFixed, r
	return w
}

func release(c *clusterv1.Cluster, pool string, seen *int, before *topology.Range, low, high int) topology.Wish {
	w := wish(c, topology.PoolMachineDeployment, pool, seen, 0)
	w.Switch, w.Range, w.SeenRange = topology.ModeAutoscaled, &topology.Range{Min: low, Max: high}, before
	return w
}

func TestSwitchDecides(t *testing.T) {
	c := twoPools()
	nine := &topology.Range{Min: 1, Max: 9}
	five := &topology.Range{Min: 1, Max: 5}
	cases := []struct {
		name string
		w    topology.Wish
		want topology.DecisionKind
		key  string
	}{
		{"freeze", freeze(c, "auto", nil, nine, 4), topology.DecidePatch, ""},
		{"freeze a pool without anything", freeze(c, "unset", nil, nil, 4), topology.DecidePatch, ""},
		{"freeze half a range", freeze(c, "half", nil, nil, 4), topology.DecidePatch, ""},
		{"freeze what the class scales", freeze(c, "burst", nil, five, 4), topology.DecideLocked, "locked.class-range"},
		{"freeze after somebody changed the range", freeze(c, "auto", nil, five, 4), topology.DecideConflict, "scale.range-changed"},
		{"freeze what was fixed meanwhile", freeze(c, "md-0", nil, nine, 4), topology.DecideConflict, "scale.conflict"},
		{"freeze at less than nothing", freeze(c, "auto", nil, nine, -1), topology.DecideLocked, "replicas.negative"},
		{"frozen already", freeze(c, "md-0", nil, nine, 3), topology.DecideAlready, ""},
		{"release", release(c, "md-0", ptr(3), nil, 1, 9), topology.DecidePatch, ""},
		{"another range", release(c, "auto", nil, nine, 2, 9), topology.DecidePatch, ""},
		{"a range over the class's", release(c, "burst", nil, five, 2, 8), topology.DecidePatch, ""},
		{"that range already", release(c, "auto", nil, nil, 1, 9), topology.DecideAlready, ""},
		{"without a range", func() topology.Wish { w := release(c, "md-0", ptr(3), nil, 1, 9); w.Range = nil; return w }(), topology.DecideLocked, "range.bad"},
		{"upside down", release(c, "md-0", ptr(3), nil, 9, 1), topology.DecideLocked, "range.order"},
		{"up to nothing", release(c, "md-0", ptr(3), nil, 0, 0), topology.DecideLocked, "range.zero"},
		{"below nothing", release(c, "md-0", ptr(3), nil, -1, 3), topology.DecideLocked, "range.bad"},
		{"release what changed meanwhile", release(c, "md-0", ptr(2), nil, 1, 9), topology.DecideConflict, "scale.conflict"},
		{"a control plane", func() topology.Wish {
			w := release(c, "", ptr(1), nil, 1, 9)
			w.Kind = topology.PoolControlPlane
			return w
		}(),
			topology.DecideLocked, "locked.control-plane-range"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			d := topology.Scale(c, elastic(), tc.w)
			key := ""
			if d.Failure != nil {
				key = string(d.Failure.Text.Key)
			}
			if d.Kind != tc.want || key != tc.key {
				t.Errorf("Scale = %s, %q; want %s, %q", d.Kind, key, tc.want, tc.key)
			}
		})
	}
}

// TestSwitchWritesBothAtOnce applies the patch to pools whose metadata is
// absent, partly there or full, and compares all of the pool.
func TestSwitchWritesBothAtOnce(t *testing.T) {
	other, label := map[string]string{"a/b~c": "1"}, map[string]string{"tier": "web"}
	three := int32(3)
	both := func(low, high string) map[string]string {
		m := testkit.Range(low, high)
		m["a/b~c"] = "1"
		return m
	}
	cases := []struct {
		name                string
		replicas            *int32
		labels, annotations map[string]string
		release             bool
		wantReplicas        *int32
		wantAnnotations     map[string]string
	}{
		{"release without metadata", &three, nil, nil, true, nil, testkit.Range("2", "6")},
		{"release with labels", &three, label, nil, true, nil, testkit.Range("2", "6")},
		{"release with annotations", &three, label, other, true, nil, both("2", "6")},
		{"release with half a range", nil, nil, testkit.Range("1", ""), true, nil, testkit.Range("2", "6")},
		{"another range", nil, nil, testkit.Range("1", "4"), true, nil, testkit.Range("2", "6")},
		{"freeze nothing but a range", nil, nil, testkit.Range("1", "4"), false, &three, nil},
		{"freeze beside labels", nil, label, testkit.Range("1", "4"), false, &three, nil},
		{"freeze beside annotations", nil, nil, both("1", "4"), false, &three, other},
		{"freeze half a range", nil, nil, testkit.Range("", "4"), false, &three, nil},
		{"freeze what has neither", nil, nil, nil, false, &three, nil},
		{"take the range from a number", &three, nil, testkit.Range("1", "4"), false, &three, nil},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := testkit.NewCluster("team-a", "prod").Pool("first", 1).Pool("md-0", 1).Pool("last", 1).Build()
			md := &c.Spec.Topology.Workers.MachineDeployments[1]
			md.Replicas, md.Metadata = tc.replicas, clusterv1.ObjectMeta{Labels: tc.labels, Annotations: tc.annotations}
			var seen *int
			if tc.replicas != nil {
				seen = ptr(3)
			}
			var before *topology.Range
			if _, max := tc.annotations[clusterv1.AutoscalerMaxSizeAnnotation]; max && tc.annotations[clusterv1.AutoscalerMinSizeAnnotation] != "" {
				before = &topology.Range{Min: 1, Max: 4}
			}
			w := freeze(c, "md-0", seen, before, 3)
			if tc.release {
				w = release(c, "md-0", seen, before, 2, 6)
			}
			d := topology.Scale(c, nil, w)
			after, err := apply(t, c, d.Patch)
			if err != nil {
				t.Fatalf("%s: applying %s: %v", d.Kind, d.Patch, err)
			}
			want := c.DeepCopy()
			pool := &want.Spec.Topology.Workers.MachineDeployments[1]
			pool.Replicas, pool.Metadata.Annotations = tc.wantReplicas, tc.wantAnnotations
			if diff := cmp.Diff(want, after); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, d.Patch)
			}
		})
	}
}

func TestSwitchFailsOnAnotherRange(t *testing.T) {
	c := testkit.NewCluster("team-a", "prod").AutoscaledPool("md-0", "1", "4").Build()
	for name, w := range map[string]topology.Wish{
		"freeze":  freeze(c, "md-0", nil, &topology.Range{Min: 1, Max: 4}, 3),
		"release": release(c, "md-0", nil, &topology.Range{Min: 1, Max: 4}, 2, 6),
	} {
		patch := topology.Scale(c, nil, w).Patch
		live := c.DeepCopy()
		live.Spec.Topology.Workers.MachineDeployments[0].Metadata.Annotations = testkit.Range("1", "5")
		if _, err := apply(t, live, patch); err == nil {
			t.Errorf("%s: the patch was applied", name)
		}
	}
}

// Without a topology the autoscaler's number stands in the spec and stays.
func TestSwitchDeployment(t *testing.T) {
	c := testkit.NewCluster("team-a", "hand").WithoutTopology().Build()
	md := testkit.NewDeployment(c, "", "workers", 3).Build()
	w := release(c, "workers", ptr(3), nil, 1, 9)
	const set = `"op":"add","path":"/metadata/annotations/cluster.x-k8s.io~1cluster-api-autoscaler-node-group-min-size","value":"1"`
	if d := topology.ScaleDeployment(md, w); d.Kind != topology.DecidePatch || !contains(d.Patch, set) || contains(d.Patch, `"remove"`) {
		t.Errorf("release: %s %s", d.Kind, d.Patch)
	}
	md.Annotations = testkit.Range("1", "9")
	const gone = `"op":"remove","path":"/metadata/annotations/cluster.x-k8s.io~1cluster-api-autoscaler-node-group-max-size"`
	if d := topology.ScaleDeployment(md, freeze(c, "workers", ptr(3), &topology.Range{Min: 1, Max: 9}, 3)); d.Kind != topology.DecidePatch || !contains(d.Patch, gone) {
		t.Errorf("freeze: %s %s", d.Kind, d.Patch)
	}
}

func contains(patch []byte, part string) bool { return strings.Contains(string(patch), part) }

func TestParseRange(t *testing.T) {
	cases := []struct {
		low, high, key, field string
	}{
		{"1", "5", "", ""}, {"0", "1", "", ""}, {"3", "3", "", ""}, {"1", "1000", "", ""},
		{"5", "1", "range.order", topology.FieldMax}, {"0", "0", "range.zero", topology.FieldMax},
		{"", "5", "range.bad", topology.FieldMin}, {"1", "1001", "range.bad", topology.FieldMax},
		{"-1", "5", "range.bad", topology.FieldMin}, {"1", "many", "range.bad", topology.FieldMax},
	}
	for _, tc := range cases {
		_, bad := topology.ParseRange(tc.low, tc.high, 1000)
		key, field := "", ""
		if bad != nil {
			key, field = string(bad.Text.Key), bad.Faults[0].Field
		}
		if key != tc.key || field != tc.field {
			t.Errorf("ParseRange(%q, %q) = %q on %q, want %q on %q", tc.low, tc.high, key, field, tc.key, tc.field)
		}
	}
}

func TestPreviewNotes(t *testing.T) {
	pool := topology.Pool{Name: "md-0", Kind: topology.PoolMachineDeployment, Wish: ptr(3), Counts: topology.Counts{Desired: 3, Total: 3}}
	auto := pool
	auto.Wish = nil
	cp := topology.Pool{Kind: topology.PoolControlPlane, Wish: ptr(3), Counts: topology.Counts{Desired: 3}}
	whole := topology.Cluster{Topology: true}
	paused := topology.Cluster{Pause: topology.Pause{Requested: true}, ClassUnready: true}
	cases := []struct {
		name string
		p    topology.Preview
		want []string
	}{
		{"nothing to say", topology.NewPreview(whole, pool, 5), nil},
		{"paused, class not reconciled", topology.NewPreview(paused, pool, 5), []string{"note.paused", "note.class"}},
		{"one control plane machine", topology.NewPreview(whole, cp, 1), []string{"note.single-control-plane"}},
		{"raising the minimum lifts nothing", topology.NewSwitch(whole, auto, topology.Range{Min: 5, Max: 9}), []string{"note.min-does-not-lift"}},
		{"lowering the maximum lowers nothing", topology.NewSwitch(whole, auto, topology.Range{Min: 1, Max: 2}), []string{"note.max-does-not-lower"}},
		{"a number outside is brought in", topology.NewSwitch(whole, pool, topology.Range{Min: 5, Max: 9}), []string{"note.range-clamps"}},
		{"a number inside stays", topology.NewSwitch(whole, pool, topology.Range{Min: 1, Max: 9}), nil},
		{"without a topology nothing brings it in", topology.NewSwitch(topology.Cluster{}, pool, topology.Range{Min: 5, Max: 9}), []string{"note.min-does-not-lift"}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, n := range tc.p.Notes {
				got = append(got, string(n.Key))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestHandover(t *testing.T) {
	c := twoPools()
	w := wish(c, topology.PoolMachineDeployment, "md-0", ptr(3), 8)
	h := topology.NewHandover(w, true, []byte(`[{"op":"test","path":"/x","value":"it's"}]`))
	if want := `kubectl -n team-a patch clusters.cluster.x-k8s.io prod --type=json -p '[{"op":"test","path":"/x","value":"it'\''s"}]'`; h.Command != want {
		t.Errorf("command %s, want %s", h.Command, want)
	}
	if want := "spec:\n  topology:\n    workers:\n      machineDeployments:\n      - name: \"md-0\"\n        replicas: 8\n"; h.YAML != want {
		t.Errorf("yaml %q, want %q", h.YAML, want)
	}
}

package topology_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// elasticCluster has one autoscaled pool of four machines' wish, 2 to 6.
func elasticCluster(edit func(*testkit.ClusterBuilder)) topology.Cluster {
	b := testkit.NewCluster("team-a", "prod").AutoscaledPool("auto", "2", "6").WorkersStatus(4, 4)
	if edit != nil {
		edit(b)
	}
	c := b.Build()
	md := testkit.NewDeployment(c, "auto", "prod-auto-x", 4).Build()
	o := topology.Objects{Cluster: c, MachineDeployments: []*clusterv1.MachineDeployment{md},
		Machines: []*clusterv1.Machine{testkit.NewMachine(md, "set", "m-1").Build()}, May: topology.Rights{Scale: true}}
	return topology.NewCluster(o, testkit.Epoch())
}

// Pausing and resuming keeps the range and the live count.
func TestPauseKeepsTheRange(t *testing.T) {
	running := elasticCluster(nil)
	paused := elasticCluster(func(b *testkit.ClusterBuilder) { b.Paused() })
	for name, c := range map[string]topology.Cluster{"running": running, "paused": paused} {
		p := c.Pools[0]
		if p.Mode != topology.ModeAutoscaled || *p.Min != 2 || *p.Max != 6 || p.Counts.Desired != 4 || !p.Release || !p.Freeze {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// After the autoscaler is off, people scale again.
func TestAfterAutoscalingTheSliderUnlocks(t *testing.T) {
	if p := elasticCluster(nil).Pools[0]; p.Locked.IsZero() {
		t.Error("an autoscaled pool can be scaled by hand")
	}
	four := int32(4)
	c := elasticCluster(func(b *testkit.ClusterBuilder) {
		b.Change(func(c *clusterv1.Cluster) {
			md := &c.Spec.Topology.Workers.MachineDeployments[0]
			md.Replicas, md.Metadata = &four, clusterv1.ObjectMeta{}
		})
	})
	if p := c.Pools[0]; !p.Locked.IsZero() || p.Mode != topology.ModeFixed || *p.Wish != 4 {
		t.Errorf("fixed again: %+v", p)
	}
}

func TestOverhear(t *testing.T) {
	at := func(minutes int) time.Time { return testkit.Epoch().Add(time.Duration(minutes) * time.Minute) }
	event := func(kind, name, text string, minutes int) corev1.Event {
		return corev1.Event{InvolvedObject: corev1.ObjectReference{Kind: kind, Name: name}, Message: text,
			Type: corev1.EventTypeNormal, LastTimestamp: metav1.NewTime(at(minutes))}
	}
	word := func(text string, minutes int) *topology.LastWord {
		return &topology.LastWord{Text: text, At: at(minutes)}
	}
	cases := []struct {
		name   string
		events []corev1.Event
		want   *topology.LastWord
	}{
		{"none", nil, nil},
		{"the newest counts", []corev1.Event{event("MachineDeployment", "prod-auto-x", "up", 3), event("Machine", "m-1", "down", 2)}, word("up", 3)},
		{"of a machine", []corev1.Event{event("Machine", "m-1", "scale-down", 1)}, word("scale-down", 1)},
		{"another pool's", []corev1.Event{event("MachineDeployment", "other", "up", 1), event("Machine", "m-9", "up", 1)}, nil},
		{"another kind of that name", []corev1.Event{event("ConfigMap", "prod-auto-x", "up", 1)}, nil},
		{"nothing said", []corev1.Event{event("Machine", "m-1", "", 1)}, nil},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := elasticCluster(nil)
			topology.Overhear(&c, tc.events)
			if diff := cmp.Diff(tc.want, c.Pools[0].LastWord); diff != "" {
				t.Errorf("last word (-want +got):\n%s", diff)
			}
		})
	}
}

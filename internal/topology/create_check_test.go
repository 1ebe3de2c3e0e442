package topology_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/topology"
)

// rangedBlueprint has a worker class with a range of its own beside a plain one.
func rangedBlueprint() catalog.Blueprint {
	cc := &clusterv1.ClusterClass{}
	cc.Namespace, cc.Name = "catalog", "ranged"
	ranged := clusterv1.MachineDeploymentClass{Class: "ranged"}
	ranged.Metadata.Annotations = map[string]string{clusterv1.AutoscalerMinSizeAnnotation: "2", clusterv1.AutoscalerMaxSizeAnnotation: "5"}
	cc.Spec.Workers.MachineDeployments = []clusterv1.MachineDeploymentClass{{Class: "plain"}, ranged}
	return catalog.NewBlueprint(cc)
}

// Nothing that was typed is left out of the cluster without a word.
func TestNothingTypedIsLostSilently(t *testing.T) {
	own := clusterv1.AutoscalerMinSizeAnnotation + "=1"
	for name, c := range map[string]struct {
		typed    map[string]string
		creating bool
		want     string
	}{
		"fine":                          {nil, true, ""},
		"a label twice":                 {map[string]string{"labels": "a=1\nb=2\na=3"}, false, "labels create.fault.pair-twice"},
		"a label's value is long":       {map[string]string{"labels": "a=" + strings.Repeat("x", 64)}, false, "labels create.fault.label-long"},
		"the range beside a number":     {map[string]string{"pool0.annotations": own}, false, "pool0.annotations create.fault.autoscaler"},
		"the range beside another":      {map[string]string{"pool0.mode": "range", "pool0.min": "1", "pool0.max": "2", "pool0.annotations": own}, false, "pool0.annotations create.fault.autoscaler"},
		"one end of the class's range":  {map[string]string{"pool0.class": "MachineDeployment/ranged", "pool0.mode": "class", "pool0.annotations": own}, true, ""},
		"a number beside the class's":   {map[string]string{"pool0.class": "MachineDeployment/ranged"}, true, "pool0.class create.fault.inherits"},
		"the same before it is created": {map[string]string{"pool0.class": "MachineDeployment/ranged"}, false, ""},
		"no class of workers":           {map[string]string{"pool0.class": ""}, false, "pool0.class create.fault.class-empty"},
	} {
		t.Run(name, func(t *testing.T) {
			values := url.Values{
				"name": {"a"}, "namespace": {"b"}, "version": {"v1.34.2"}, "cp": {"1"},
				"pool": {"0"}, "pool0.name": {"x"}, "pool0.class": {"MachineDeployment/plain"}, "pool0.mode": {"fixed"}, "pool0.replicas": {"3"},
			}
			for input, text := range c.typed {
				values.Set(input, text)
			}
			b := rangedBlueprint()
			f := topology.ParseCreateForm(b, values)
			_, faults := f.Plan(b, topology.CreateLimits{Namespaces: []string{"b"}, Max: 10, Creating: c.creating})
			var got []string
			for _, fault := range faults {
				got = append(got, fault.Field+" "+string(fault.Text.Key))
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got %v, want %q", got, c.want)
			}
		})
	}
}

func TestVersionsInUse(t *testing.T) {
	rows := []topology.Summary{{Version: "v1.9.11"}, {Version: "v1.34.2"}, {Version: "v1.34.10"}, {}, {Version: "v1.34.2"}}
	if got, want := topology.VersionsInUse(rows), []string{"v1.34.10", "v1.34.2", "v1.9.11"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

package topology_test

import (
	"net/url"
	"strconv"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/topology"
)

func TestClonable(t *testing.T) {
	c := &clusterv1.Cluster{}
	if bad := topology.Clonable(c); bad == nil || bad.Text.Key != "create.clone.no-class" {
		t.Errorf("without a class: %v", bad)
	}
	c.Spec.Topology.ClassRef.Name = "plain"
	c.Spec.Topology.Workers.MachineDeployments = make([]clusterv1.MachineDeploymentTopology, topology.MaxPools)
	if bad := topology.Clonable(c); bad != nil {
		t.Errorf("with as many pools as there is room for: %v", bad)
	}
	c.Spec.Topology.Workers.MachinePools = make([]clusterv1.MachinePoolTopology, 1)
	if bad := topology.Clonable(c); bad == nil || bad.Text.Key != "create.clone.pools" {
		t.Errorf("with one more: %v", bad)
	}
}

// A form has room for so many pools; one that is not taken is said.
func TestRoomForPools(t *testing.T) {
	b := plainBlueprint()
	values := url.Values{}
	for i := range topology.MaxPools + 1 {
		values.Add(topology.InputPool, strconv.Itoa(i))
	}
	f := topology.ParseCreateForm(b, values)
	_, faults := f.Plan(b, topology.CreateLimits{Max: 10})
	said := false
	for _, fault := range faults {
		said = said || fault.Text.Key == "create.fault.pools"
	}
	if len(f.Pools) != topology.MaxPools || !said {
		t.Errorf("%d pools, said: %v", len(f.Pools), said)
	}
	next, _, fault, err := f.Do(b, topology.DoAddPool)
	if err != nil || fault == nil || len(next.Pools) != topology.MaxPools {
		t.Errorf("one more makes %d pools: %v, %v", len(next.Pools), fault, err)
	}
}

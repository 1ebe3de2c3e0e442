package topology_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

func TestSetter(t *testing.T) {
	argo := func(c *clusterv1.Cluster) { c.Annotations["argocd.argoproj.io/tracking-id"] = "x" }
	flux := func(c *clusterv1.Cluster) { c.Labels["kustomize.toolkit.fluxcd.io/name"] = "x" }
	cases := []struct {
		manager string
		applies bool
		mark    func(*clusterv1.Cluster)
		want    topology.Tool
		held    bool
	}{
		{"capstan", false, nil, topology.ToolPortal, false},
		{"capstan", false, argo, topology.ToolPortal, false},
		{"kubectl-edit", false, nil, topology.ToolHand, false},
		{"kubectl-scale", false, flux, topology.ToolFlux, true},
		{"kubectl", true, nil, topology.ToolApply, true},
		{"kubectl-client-side-apply", false, nil, topology.ToolApply, true},
		{"argocd-controller", true, nil, topology.ToolArgo, true},
		{"kustomize-controller", true, nil, topology.ToolFlux, true},
		{"helm-controller", false, nil, topology.ToolFlux, true},
		{"Helm", false, nil, topology.ToolHelm, true},
		{"Terraform", true, nil, topology.ToolTerraform, true},
		{"cluster-autoscaler", false, nil, topology.ToolAutoscaler, true},
		{"capi-topology", true, nil, topology.ToolCAPI, false},
		{"capstan-sandbox", true, nil, topology.ToolUnknown, false},
		{"somebody", true, nil, topology.ToolUnknown, false},
		{"somebody", true, argo, topology.ToolArgo, true},
	}
	for _, tc := range cases {
		t.Run(tc.manager, func(t *testing.T) {
			c := twoPools()
			if tc.mark != nil {
				tc.mark(c)
			}
			entry := managed(tc.manager, md0Fields, testkit.Epoch())
			entry.Operation = metav1.ManagedFieldsOperationUpdate
			if tc.applies {
				entry.Operation = metav1.ManagedFieldsOperationApply
			}
			c.ManagedFields = []metav1.ManagedFieldsEntry{entry}
			o := topology.OwnerOf(c, nil, wish(c, topology.PoolMachineDeployment, "md-0", ptr(3), 8), nil)
			want := topology.Setter{Manager: tc.manager, Tool: tc.want, At: testkit.Epoch()}
			if o.Setter != want || o.Held != tc.held {
				t.Errorf("setter %+v, held %t; want %+v, %t", o.Setter, o.Held, want, tc.held)
			}
			pool := topology.NewCluster(topology.Objects{Cluster: c}, testkit.Epoch()).Pools[0]
			if pool.Setter != want {
				t.Errorf("on the page: %+v", pool.Setter)
			}
		})
	}
}

func TestReplicaFieldsKeepsNothingElse(t *testing.T) {
	at := testkit.Epoch()
	slim := topology.ReplicaFields([]metav1.ManagedFieldsEntry{
		managed("status", `{"f:status":{"f:replicas":{}}}`, at),
		managed("edit", `{"f:metadata":{"f:labels":{}},"f:spec":{"f:paused":{},"f:replicas":{}}}`, at),
		managed("apply", `{"f:spec":{"f:topology":{"f:version":{},"f:workers":{"f:machineDeployments":{"k:{\"name\":\"md-0\"}":{".":{},"f:name":{},"f:replicas":{}},"k:{\"name\":\"md-1\"}":{"f:class":{}}}}}}}`, at),
		managed("broken", `{`, at),
	})
	got := map[string]string{}
	for _, e := range slim {
		got[e.Manager] = string(e.FieldsV1.GetRawBytes())
	}
	want := map[string]string{"edit": `{"f:spec":{"f:replicas":{}}}`, "apply": md0Fields}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

package topology_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/topology"
)

func plainBlueprint() catalog.Blueprint {
	cc := &clusterv1.ClusterClass{ObjectMeta: metav1.ObjectMeta{Namespace: "catalog", Name: "plain"}}
	cc.Spec.Workers.MachineDeployments = []clusterv1.MachineDeploymentClass{{Class: "worker"}}
	cc.Spec.Workers.MachinePools = []clusterv1.MachinePoolClass{{Class: "worker"}}
	return catalog.NewBlueprint(cc)
}

const richManifest = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: shop
  namespace: team-a
  labels:
    tier: web
    kustomize.toolkit.fluxcd.io/name: clusters
  annotations:
    note: "one line"
    text: |
      two
      lines
    argocd.argoproj.io/tracking-id: apps:x
spec:
  availabilityGates:
  - conditionType: Gate
  clusterNetwork:
    apiServerPort: 6444
    serviceDomain: shop.local
    pods:
      cidrBlocks: [10.1.0.0/16]
  topology:
    classRef: {name: plain, namespace: catalog}
    version: v1.34.2
    controlPlane:
      replicas: 3
      metadata: {labels: {a: b}}
      healthCheck: {enabled: false}
      deletion: {nodeDrainTimeoutSeconds: 0}
    workers:
      machineDeployments:
      - class: worker
        name: md-0
        replicas: 4
        metadata:
          labels: {zone: west}
          annotations:
            team: shop
        healthCheck: {checks: {nodeStartupTimeoutSeconds: 600}}
        deletion: {order: Oldest, nodeDrainTimeoutSeconds: 90}
        minReadySeconds: 0
        rollout: {strategy: {type: OnDelete}}
        taints:
        - {key: gpu, effect: NoSchedule, propagation: Always}
        readinessGates:
        - {conditionType: Ready2}
      - class: worker
        name: md-1
        metadata:
          annotations:
            cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "1"
            cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "5"
      machinePools:
      - class: worker
        name: mp-0
        replicas: 1
        failureDomains: [a, b]
`

// What a manifest says is what is created, but for what belongs to another
// object.
func TestManifestIsKeptWhole(t *testing.T) {
	m, faults := topology.ParseManifest(richManifest)
	if len(faults) > 0 {
		t.Fatalf("%+v", faults)
	}
	b := plainBlueprint()
	f := topology.CreateFormOf(m.Cluster, b, "id")
	f.Name = m.Cluster.Name
	plan, faults := f.Plan(b, topology.CreateLimits{Namespaces: []string{"team-a"}, Max: 100})
	if len(faults) > 0 {
		t.Fatalf("faults: %+v", faults)
	}
	want := m.Cluster.DeepCopy()
	delete(want.Labels, "kustomize.toolkit.fluxcd.io/name")
	delete(want.Annotations, "argocd.argoproj.io/tracking-id")
	if diff := cmp.Diff(asJSON(t, want), asJSON(t, plan.Cluster())); diff != "" {
		t.Error(diff)
	}
	var kept []string
	for _, row := range f.Kept.Rows() {
		kept = append(kept, row.Path)
	}
	wantKept := "metadata.annotations.text spec.availabilityGates spec.clusterNetwork.apiServerPort spec.clusterNetwork.serviceDomain " +
		"spec.topology.controlPlane.deletion spec.topology.controlPlane.healthCheck spec.topology.controlPlane.metadata"
	if got := strings.Join(kept, " "); got != wantKept {
		t.Errorf("kept %s", got)
	}
	if len(f.Kept.Left) != 2 || f.Pools[0].Labels != "zone=west" || f.Pools[1].Mode != topology.PlanRange {
		t.Errorf("left %+v, pools %+v", f.Kept.Left, f.Pools)
	}
	f.Pools[0].Class = topology.WorkerValue(catalog.WorkerPool, "worker")
	if _, faults := f.Plan(b, topology.CreateLimits{Namespaces: []string{"team-a"}, Max: 100}); len(faults) != 1 || faults[0].Field != "pool0.class" {
		t.Errorf("what a MachinePool can't have: %+v", faults)
	}
}

func asJSON(t *testing.T, c *clusterv1.Cluster) any {
	t.Helper()
	raw, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// What a living cluster's controllers and tools wrote stays with it.
func TestCloneLeavesTheOtherBehind(t *testing.T) {
	m, _ := topology.ParseManifest(richManifest)
	c, yes := m.Cluster, true
	c.UID, c.ResourceVersion, c.Generation = "u", "7", 3
	c.Finalizers = []string{clusterv1.ClusterFinalizer}
	c.OwnerReferences = []metav1.OwnerReference{{Kind: "App", Name: "x"}}
	c.Spec.Paused = &yes
	c.Spec.ControlPlaneEndpoint.Host, c.Spec.ControlPlaneEndpoint.Port = "10.0.0.1", 6443
	c.Spec.ControlPlaneRef.Name, c.Spec.InfrastructureRef.Name = "shop-cp", "shop-infra"
	c.Status.Phase = "Provisioned"
	c.Labels[clusterv1.ClusterNameLabel] = "shop"
	c.Annotations[topology.AnnotationForm], c.Annotations[topology.AnnotationCreator] = "form", "ada"
	c.Annotations["kubectl.kubernetes.io/last-applied-configuration"] = "{}"
	c.Annotations[clusterv1.PausedAnnotation] = ""
	c.Annotations[clusterv1.ClusterTopologyUpgradeStepAnnotation] = "1"
	f := topology.CreateFormOf(c, plainBlueprint(), "id")
	if f.Name != "" || f.Labels != "tier=web" || f.Annotations != "note=one line" {
		t.Errorf("name %q, labels %q, annotations %q", f.Name, f.Labels, f.Annotations)
	}
	plan, _ := f.Plan(plainBlueprint(), topology.CreateLimits{Max: 100})
	made := plan.Cluster()
	if made.UID != "" || made.Status.Phase != "" || len(made.Finalizers)+len(made.OwnerReferences) > 0 || made.Spec.Paused != nil ||
		made.Spec.ControlPlaneRef.IsDefined() || made.Spec.ControlPlaneEndpoint.Host != "" {
		t.Errorf("the new one is the old one: %+v", made)
	}
	if len(made.Annotations) != 2 || made.Spec.Topology.Workers.MachineDeployments[0].Deletion.Order != "Oldest" {
		t.Errorf("annotations %v", made.Annotations)
	}
	why := map[topology.LeftWhy]int{}
	for _, left := range f.Kept.Left {
		why[left.Why]++
	}
	if diff := cmp.Diff(map[topology.LeftWhy]int{"history": 3, "owner": 3, "state": 4, "made": 4}, why); diff != "" {
		t.Error(diff)
	}
}

func TestAdmittedMarksWhatDefaultingAdds(t *testing.T) {
	plan := topology.Plan{Ref: topology.Ref{Namespace: "team-a", Name: "shop"}, Class: topology.Ref{Namespace: "catalog", Name: "plain"}, Version: "v1.34.2", Pods: []string{"10.1.0.0/16"}}
	after := plan.Cluster()
	after.UID, after.Generation = "u", 1
	after.Annotations = map[string]string{topology.AnnotationForm: "x"}
	after.Spec.Topology.Variables = []clusterv1.ClusterVariable{{Name: "region"}}
	after.Spec.Topology.Variables[0].Value.Raw = []byte(`"eu"`)
	var added, all []string
	for _, line := range topology.Admitted(plan, after) {
		all = append(all, strings.TrimSpace(line.Text))
		if line.Added {
			added = append(added, strings.TrimSpace(line.Text))
		}
	}
	if got := strings.Join(added, "|"); got != "variables:|- name: region|value: eu" {
		t.Errorf("added %s", got)
	}
	if text := strings.Join(all, "|"); strings.Contains(text, "{}") || strings.Contains(text, "uid") || strings.Contains(text, "capstan") {
		t.Errorf("more than people write: %s", text)
	}
}

func TestCreationIsAChange(t *testing.T) {
	c := &clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "b", UID: "u", Annotations: map[string]string{topology.AnnotationCreator: "ada"}}}
	e := &corev1.Event{Reason: topology.ReasonCreated, ReportingController: topology.Component}
	e.Annotations = topology.EventAnnotations(topology.Change{UID: "u", Who: "ada", Display: "Ada"})
	told, ok := topology.ChangeFrom(e)
	if !ok || !told.Created {
		t.Fatalf("got %+v, %v", told, ok)
	}
	for want, changes := range map[string][]topology.Change{"Ada": {told}, "ada": nil} {
		got := topology.NewCluster(topology.Objects{Cluster: c, Changes: changes}, c.CreationTimestamp.Time).Changes
		if len(got) != 1 || !got[0].Created || got[0].Person() != want {
			t.Errorf("want %s: %+v", want, got)
		}
	}
}

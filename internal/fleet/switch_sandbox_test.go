//go:build sandbox

package fleet_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

func deploymentResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "cluster.x-k8s.io", Version: "v1beta2", Resource: "machinedeployments"}
}

// release gives a pool to the autoscaler, freeze takes it back.
func release(w topology.Wish, low, high int) topology.Wish {
	w.Switch, w.Range, w.Anyway = topology.ModeAutoscaled, &topology.Range{Min: low, Max: high}, true
	return w
}

func freeze(w topology.Wish, seen topology.Range) topology.Wish {
	w.Switch, w.Seen, w.SeenRange, w.Anyway = topology.ModeFixed, nil, &seen, true
	return w
}

// metadata is what the topology says of md-0 beside its number.
func (w team) metadata() map[string]any {
	pools, _, _ := unstructured.NestedSlice(w.Get("Cluster", "c1").Object, "spec", "topology", "workers", "machineDeployments")
	meta, _, _ := unstructured.NestedMap(pools[0].(map[string]any), "metadata")
	return meta
}

// CAPI's webhook refuses a number beside a range, so each of these only passes
// as one write.
func TestSwitchingIsOneWrite(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	f := connect(t, sb)
	w.settled(t, f)
	if _, err := f.Scale(t.Context(), w.person, release(w.wish(3, 0), 2, 6), false); err != nil {
		t.Fatal("release: ", err)
	}
	if got := w.Replicas("c1", "md-0"); got != -1 || len(w.metadata()) != 1 {
		t.Fatalf("released: replicas %d, metadata %v", got, w.metadata())
	}
	// A bare number is refused before admission is asked.
	bare := w.wish(3, 5)
	bare.Seen = nil
	if _, err := f.Scale(t.Context(), w.person, bare, false); key(err) != "locked.autoscaled" {
		t.Errorf("a bare number: %v", err)
	}
	if _, err := f.Scale(t.Context(), w.person, freeze(w.wish(0, 4), topology.Range{Min: 1, Max: 6}), false); key(err) != "scale.range-changed" {
		t.Errorf("freeze with another range: %v", err)
	}
	until(t, "the range's author is named", 5*time.Second, func() bool {
		o, err := f.Fresh(t.Context(), w.person, bare)
		return err == nil && o.Range != nil && *o.Range == topology.Range{Min: 2, Max: 6} && o.Who == w.person.Display
	})
	if _, err := f.Scale(t.Context(), w.person, freeze(w.wish(0, 4), topology.Range{Min: 2, Max: 6}), false); err != nil {
		t.Fatal("freeze: ", err)
	}
	if got := w.Replicas("c1", "md-0"); got != 4 || w.metadata() != nil {
		t.Errorf("frozen: replicas %d, metadata %v", got, w.metadata())
	}
	until(t, "both changes are told", 5*time.Second, func() bool {
		c, err := f.Cluster(t.Context(), w.person, w.ref())
		return err == nil && len(c.Changes) == 2 && c.Changes[1].Range != nil && *c.Changes[0].To == 4 &&
			c.Changes[0].Before != nil && *c.Changes[0].Before == topology.Range{Min: 2, Max: 6}
	})
}

// What previews say of numbers outside of a range, on a real topology.
func TestWhatARangeDoesToTheNumber(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	w.Cluster("live", "md-0=1/never")
	f := connect(t, sb)
	ref := topology.Ref{Namespace: w.Namespace, Name: "live"}
	number := func() int64 {
		for _, md := range w.List("MachineDeployment", "cluster.x-k8s.io/cluster-name=live") {
			n, _, _ := unstructured.NestedInt64(md.Object, "spec", "replicas")
			return n
		}
		return -1
	}
	until(t, "the MachineDeployment is made", time.Minute, func() bool { return number() == 1 })
	one := 1
	wish := topology.Wish{Ref: ref, UID: string(w.Get("Cluster", "live").GetUID()), Pool: "md-0", Kind: topology.PoolMachineDeployment, Seen: &one}
	if _, err := f.Scale(t.Context(), w.person, release(wish, 2, 5), false); err != nil {
		t.Fatal(err)
	}
	until(t, "giving up the number clamps it into the range", time.Minute, func() bool { return number() == 2 })
	wish.Seen, wish.SeenRange = nil, &topology.Range{Min: 2, Max: 5}
	if _, err := f.Scale(t.Context(), w.person, release(wish, 4, 5), false); err != nil {
		t.Fatal(err)
	}
	until(t, "the new minimum reaches the MachineDeployment", time.Minute, func() bool {
		for _, md := range w.List("MachineDeployment", "cluster.x-k8s.io/cluster-name=live") {
			return md.GetAnnotations()["cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size"] == "4"
		}
		return false
	})
	if got := number(); got != 2 {
		t.Errorf("the new minimum lifted the number to %d; previews say that it doesn't", got)
	}
}

// kubectl scale on what a topology owns is set back: the portal never writes
// there, and says so.
func TestATopologyTakesItsNumberBack(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	w.Cluster("live", "md-0=1/never")
	var name string
	until(t, "the MachineDeployment is made", time.Minute, func() bool {
		for _, md := range w.List("MachineDeployment", "cluster.x-k8s.io/cluster-name=live") {
			name = md.GetName()
		}
		return name != ""
	})
	_, err := sb.Client.Resource(deploymentResource()).Namespace(w.Namespace).Patch(t.Context(), name, types.MergePatchType,
		[]byte(`{"spec":{"replicas":3}}`), metav1.PatchOptions{FieldManager: "kubectl"}, "scale")
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the number is 1 again", time.Minute, func() bool {
		n, _, _ := unstructured.NestedInt64(w.Get("MachineDeployment", name).Object, "spec", "replicas")
		return n == 1
	})
}

// A cluster without a topology: its MachineDeployment's own number.
func TestWithoutATopology(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	w.Apply(`apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: hand, namespace: NAMESPACE}
spec:
  paused: true
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: hand}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: workers, namespace: NAMESPACE, labels: {cluster.x-k8s.io/cluster-name: hand}}
spec:
  clusterName: hand
  replicas: 2
  selector: {matchLabels: {}}
  template:
    spec:
      clusterName: hand
      bootstrap: {dataSecretName: none}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachineTemplate, name: quick}`)
	f := connect(t, sb)
	ref := topology.Ref{Namespace: w.Namespace, Name: "hand"}
	until(t, "the pool can be scaled on the page", 10*time.Second, func() bool {
		c, err := f.Cluster(t.Context(), w.person, ref)
		return err == nil && c.May.Scale && len(c.Pools) == 1 && c.Pools[0].Locked.IsZero() && c.Pools[0].Release
	})
	two, five := 2, 5
	wish := topology.Wish{Ref: ref, UID: string(w.Get("Cluster", "hand").GetUID()), Pool: "workers", Kind: topology.PoolMachineDeployment, Seen: &two, Replicas: 5}
	written, err := f.Scale(t.Context(), w.person, wish, false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if n, _, _ := unstructured.NestedInt64(w.Get("MachineDeployment", "workers").Object, "spec", "replicas"); n != 5 || !f.Await(ctx, ref, written.ResourceVersion) {
		t.Errorf("replicas %d, want 5, and the cache to see it", n)
	}
	wish.Seen = &five
	if _, err := f.Scale(t.Context(), w.person, release(wish, 1, 9), false); err != nil {
		t.Fatal("release: ", err)
	}
	md := w.Get("MachineDeployment", "workers")
	if n, _, _ := unstructured.NestedInt64(md.Object, "spec", "replicas"); n != 5 || md.GetAnnotations()["cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size"] != "9" {
		t.Errorf("released: replicas %d, annotations %v", n, md.GetAnnotations())
	}
	reader := auth.User{Name: "oidc:reader", Groups: []string{"oidc:readers-" + w.Namespace}}
	w.Grant(reader.Groups[0], "cluster-api-reader")
	until(t, "a reader is told the missing right", 10*time.Second, func() bool {
		c, err := f.Cluster(t.Context(), reader, ref)
		return err == nil && !c.May.Scale && strings.Contains(c.May.Missing, "machinedeployments")
	})
}

// A number that a Git tool set last is not written without a word.
func TestHeldNumbersAreNotWrittenUnasked(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	f := connect(t, sb)
	w.settled(t, f)
	patch := `[{"op":"replace","path":"/spec/topology/workers/machineDeployments/0/replicas","value":4}]`
	_, err := sb.Client.Resource(clusterResource()).Namespace(w.Namespace).Patch(t.Context(), "c1", types.JSONPatchType,
		[]byte(patch), metav1.PatchOptions{FieldManager: "argocd-controller"})
	if err != nil {
		t.Fatal(err)
	}
	written, err := f.Scale(t.Context(), w.person, w.wish(4, 6), true)
	if err != nil || written.Owner.Setter.Tool != topology.ToolArgo || !written.Owner.Held || len(written.Patch) == 0 {
		t.Fatalf("preview: %+v, %v", written, err)
	}
	written, err = f.Scale(t.Context(), w.person, w.wish(4, 6), false)
	wantCode(t, err, fail.Invalid)
	if key(err) != "scale.held" || written.Owner.Setter.Manager != "argocd-controller" || w.Replicas("c1", "md-0") != 4 {
		t.Errorf("unasked: %+v, %v, replicas %d", written, err, w.Replicas("c1", "md-0"))
	}
	until(t, "the page names it", 5*time.Second, func() bool {
		c, err := f.Cluster(t.Context(), w.person, w.ref())
		return err == nil && c.Pools[0].Setter.Tool == topology.ToolArgo
	})
	// What is handed over works: the patch is accepted as it stands.
	_, err = sb.Client.Resource(clusterResource()).Namespace(w.Namespace).Patch(t.Context(), "c1", types.JSONPatchType,
		written.Patch, metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		t.Errorf("the patch %s: %v", written.Patch, err)
	}
	anyway := w.wish(4, 6)
	anyway.Anyway = true
	if _, err := f.Scale(t.Context(), w.person, anyway, false); err != nil || w.Replicas("c1", "md-0") != 6 {
		t.Errorf("anyway: %v, replicas %d", err, w.Replicas("c1", "md-0"))
	}
}

// Where Events may not be listed, managedFields tell who set a number last.
func TestWithoutEventsManagersAreTold(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	group := "oidc:clusters-" + w.Namespace
	w.Apply(fmt.Sprintf(`apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: clusters-only, namespace: NAMESPACE}
rules: [{apiGroups: [cluster.x-k8s.io], resources: [clusters], verbs: [get, list, patch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: clusters-only, namespace: NAMESPACE}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: clusters-only}
subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: %q}]`, group))
	f := connect(t, sb)
	until(t, "the manager is named and Events are denied", 30*time.Second, func() bool {
		c, err := f.Cluster(t.Context(), auth.User{Name: "oidc:x", Groups: []string{group}}, w.ref())
		return err == nil && c.Denied[topology.KindEvent] && c.Pools[0].Setter.Manager == "test" && !c.Pools[0].Setter.At.IsZero()
	})
}

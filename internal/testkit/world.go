//go:build sandbox

package testkit

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/util/yaml"
)

//go:embed testdata
var fixtures embed.FS

// World is a namespace of a test's own on a sandbox. It goes with the test.
type World struct {
	*Sandbox
	Namespace string
	t         testing.TB
}

// NewBareWorld makes a namespace without a class, also for a sandbox without
// managers.
func NewBareWorld(t testing.TB, sb *Sandbox) *World {
	t.Helper()
	w := &World{Sandbox: sb, Namespace: "t-" + rand.String(8), t: t}
	w.Apply(fmt.Sprintf("apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}", w.Namespace))
	t.Cleanup(w.drop)
	return w
}

// In is the same world for a part of the test, which fails alone.
func (w *World) In(t testing.TB) *World {
	return &World{Sandbox: w.Sandbox, Namespace: w.Namespace, t: t}
}

// NewWorld makes a namespace with the class "quick" in it (machines within
// seconds; its worker class "never" has machines that don't come for a day).
func NewWorld(t testing.TB, sb *Sandbox) *World {
	t.Helper()
	w := NewBareWorld(t, sb)
	w.Apply(Quick(t))
	w.Reconciled("quick")
	return w
}

// Quick is the class "quick" with its templates, as YAML.
func Quick(t testing.TB) string {
	t.Helper()
	quick, err := fixtures.ReadFile("testdata/quick.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(quick)
}

// Apply creates or replaces (server-side apply, forced) every document of a
// YAML text; NAMESPACE in it stands for the world's namespace.
func (w *World) Apply(documents string) {
	w.t.Helper()
	text := strings.ReplaceAll(documents, "NAMESPACE", w.Namespace)
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewBufferString(text), 4096)
	for {
		obj := &unstructured.Unstructured{}
		err := decoder.Decode(&obj.Object)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			w.t.Fatalf("fixture: %v", err)
		}
		if len(obj.Object) > 0 {
			w.apply(obj)
		}
	}
}

func (w *World) apply(obj *unstructured.Unstructured) {
	w.t.Helper()
	mapping, err := w.Mapper.RESTMapping(obj.GroupVersionKind().GroupKind(), obj.GroupVersionKind().Version)
	if err != nil {
		w.t.Fatalf("fixture: %v", err)
	}
	ns := ""
	if mapping.Scope.Name() == apimeta.RESTScopeNameNamespace {
		ns = obj.GetNamespace()
		if ns == "" {
			ns = w.Namespace
		}
	}
	_, err = w.Client.Resource(mapping.Resource).Namespace(ns).Apply(context.Background(), obj.GetName(), obj,
		metav1.ApplyOptions{FieldManager: "test", Force: true})
	if err != nil {
		w.t.Fatalf("apply %s %s: %v", obj.GetKind(), obj.GetName(), err)
	}
}

// Cluster creates a cluster of class quick. pools are "name=replicas" pairs
// with the worker class quick, or "name=replicas/class".
func (w *World) Cluster(name string, pools ...string) {
	w.t.Helper()
	w.cluster(name, false, pools)
}

// Paused creates a cluster that the controllers leave alone: for tests in which
// machines don't matter.
func (w *World) Paused(name string, pools ...string) {
	w.t.Helper()
	w.cluster(name, true, pools)
}

func (w *World) cluster(name string, paused bool, pools []string) {
	w.t.Helper()
	var mds strings.Builder
	for _, pool := range pools {
		poolName, rest, _ := strings.Cut(pool, "=")
		replicas, class, ok := strings.Cut(rest, "/")
		if !ok {
			class = "quick"
		}
		fmt.Fprintf(&mds, "\n      - {name: %s, class: %s, replicas: %s}", poolName, class, replicas)
	}
	w.Apply(fmt.Sprintf(`apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: %s, namespace: NAMESPACE}
spec:
  paused: %t
  topology:
    classRef: {name: quick}
    version: v1.34.2
    controlPlane: {replicas: 1}
    workers:
      machineDeployments: %s`, name, paused, mds.String()))
}

// Grant gives a group, as the API server sees it (for example "oidc:team-a"),
// a ClusterRole in the world's namespace.
func (w *World) Grant(group, clusterRole string) {
	w.t.Helper()
	w.Apply(fmt.Sprintf(`apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: %q, namespace: NAMESPACE}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %q}
subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: %q}]`,
		strings.NewReplacer(":", "-").Replace(group+"-"+clusterRole), clusterRole, group))
}

// Get reads an object of the world by kind and name.
func (w *World) Get(kind, name string) *unstructured.Unstructured {
	w.t.Helper()
	obj, err := w.Client.Resource(w.resource(kind)).Namespace(w.Namespace).Get(context.Background(), name, metav1.GetOptions{})
	if err != nil {
		w.t.Fatalf("get %s %s: %v", kind, name, err)
	}
	return obj
}

// List reads all objects of a kind in the world.
func (w *World) List(kind, selector string) []unstructured.Unstructured {
	w.t.Helper()
	list, err := w.Client.Resource(w.resource(kind)).Namespace(w.Namespace).List(context.Background(), metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		w.t.Fatalf("list %s: %v", kind, err)
	}
	return list.Items
}

func (w *World) resource(kind string) schema.GroupVersionResource {
	w.t.Helper()
	for _, gk := range []schema.GroupKind{{Group: "cluster.x-k8s.io", Kind: kind}, {Kind: kind}, {Group: "rbac.authorization.k8s.io", Kind: kind}, {Group: "controlplane.cluster.x-k8s.io", Kind: kind}, {Group: "infrastructure.cluster.x-k8s.io", Kind: kind}} {
		if mapping, err := w.Mapper.RESTMapping(gk); err == nil {
			return mapping.Resource
		}
	}
	w.t.Fatalf("no kind %s", kind)
	return schema.GroupVersionResource{}
}

// Replicas is what the topology of a cluster wishes for a pool; -1 when unset.
func (w *World) Replicas(cluster, pool string) int64 {
	w.t.Helper()
	pools, _, _ := unstructured.NestedSlice(w.Get("Cluster", cluster).Object, "spec", "topology", "workers", "machineDeployments")
	for _, p := range pools {
		entry, _ := p.(map[string]any)
		if entry["name"] == pool {
			if n, ok := entry["replicas"].(int64); ok {
				return n
			}
			return -1
		}
	}
	w.t.Fatalf("cluster %s has no pool %s", cluster, pool)
	return -1
}

// Available waits until a cluster is Available.
func (w *World) Available(cluster string) {
	w.t.Helper()
	w.Until("cluster "+cluster+" is Available", func(ctx context.Context) bool {
		return conditionTrue(w.Get("Cluster", cluster), "Available")
	})
}

// Until waits for a condition, three minutes at most, and fails the test with
// its name otherwise.
func (w *World) Until(what string, condition func(ctx context.Context) bool) {
	w.t.Helper()
	err := wait.PollUntilContextTimeout(context.Background(), 200*time.Millisecond, 3*time.Minute, true,
		func(ctx context.Context) (bool, error) { return condition(ctx), nil })
	if err != nil {
		w.t.Fatalf("waited three minutes in vain: %s", what)
	}
}

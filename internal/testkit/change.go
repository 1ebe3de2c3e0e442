//go:build sandbox

package testkit

import (
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// Patch changes an object of the world as the admin, with a JSON patch and under
// a field manager's name; subresources may name "status".
func (w *World) Patch(kind, name, manager, patch string, subresources ...string) {
	w.t.Helper()
	_, err := w.Client.Resource(w.resource(kind)).Namespace(w.Namespace).Patch(context.Background(), name,
		types.JSONPatchType, []byte(patch), metav1.PatchOptions{FieldManager: manager}, subresources...)
	if err != nil {
		w.t.Fatalf("patch %s %s: %v", kind, name, err)
	}
}

// SetReplicas changes a pool's wish as somebody else would, under a field
// manager's name.
func (w *World) SetReplicas(cluster, pool string, n int, manager string) {
	w.t.Helper()
	w.Patch("Cluster", cluster, manager, fmt.Sprintf(
		`[{"op":"add","path":"/spec/topology/workers/machineDeployments/%d/replicas","value":%d}]`, w.indexOf(cluster, pool), n))
}

// DropPool takes a pool out of a cluster's topology.
func (w *World) DropPool(cluster, pool string) {
	w.t.Helper()
	w.Patch("Cluster", cluster, "test", fmt.Sprintf(
		`[{"op":"remove","path":"/spec/topology/workers/machineDeployments/%d"}]`, w.indexOf(cluster, pool)))
}

func (w *World) indexOf(cluster, pool string) int {
	w.t.Helper()
	pools, _, _ := unstructured.NestedSlice(w.Get("Cluster", cluster).Object, "spec", "topology", "workers", "machineDeployments")
	for i, p := range pools {
		if entry, _ := p.(map[string]any); entry["name"] == pool {
			return i
		}
	}
	w.t.Fatalf("cluster %s has no pool %s", cluster, pool)
	return -1
}

// AddConditions appends conditions to an object's status, which must exist.
func (w *World) AddConditions(kind, name string, conditions ...metav1.Condition) {
	w.t.Helper()
	obj := w.Get(kind, name)
	have, _, _ := unstructured.NestedSlice(obj.Object, "status", "conditions")
	all := make([]any, 0, len(have)+len(conditions))
	all = append(all, have...)
	for _, c := range conditions {
		all = append(all, c)
	}
	value, err := json.Marshal(map[string]any{"status": map[string]any{"conditions": all}})
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = w.Client.Resource(w.resource(kind)).Namespace(w.Namespace).Patch(context.Background(), name,
		types.MergePatchType, value, metav1.PatchOptions{FieldManager: "test"}, "status")
	if err != nil {
		w.t.Fatalf("status of %s %s: %v", kind, name, err)
	}
}

// Delete deletes an object and waits until it is gone, without waiting for
// finalizers: what they stand for is left behind.
func (w *World) Delete(kind, name string) {
	w.t.Helper()
	ctx := context.Background()
	objects := w.Client.Resource(w.resource(kind)).Namespace(w.Namespace)
	if err := objects.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		w.t.Fatalf("delete %s %s: %v", kind, name, err)
	}
	w.Until(kind+" "+name+" is gone", func(ctx context.Context) bool {
		_, err := objects.Patch(ctx, name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
		return apierrors.IsNotFound(err)
	})
}

// AskDelete asks for an object to be deleted; its finalizers may keep it.
func (w *World) AskDelete(kind, name string) {
	w.t.Helper()
	if err := w.Client.Resource(w.resource(kind)).Namespace(w.Namespace).Delete(context.Background(), name, metav1.DeleteOptions{}); err != nil {
		w.t.Fatalf("delete %s %s: %v", kind, name, err)
	}
}

//go:build sandbox

package testkit

import (
	"context"
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Class makes a class of the templates of "quick" with other variables, and
// waits until webhooks go by them.
func (w *World) Class(name string, variables []clusterv1.ClusterClassVariable) {
	w.t.Helper()
	raw, err := json.Marshal(variables)
	if err != nil {
		w.t.Fatal(err)
	}
	var list []any
	if err := json.Unmarshal(raw, &list); err != nil {
		w.t.Fatal(err)
	}
	spec, _ := w.Get("ClusterClass", "quick").Object["spec"].(map[string]any)
	if delete(spec, "variables"); len(list) > 0 {
		spec["variables"] = list
	}
	class := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	class.SetAPIVersion(clusterv1.GroupVersion.String())
	class.SetKind("ClusterClass")
	class.SetName(name)
	w.apply(class)
	w.Reconciled(name)
}

// Reconciled waits until a class's variables are those of its spec.
func (w *World) Reconciled(class string) {
	w.t.Helper()
	w.Until("class "+class+" is reconciled", func(context.Context) bool {
		cc := w.Get("ClusterClass", class)
		seen, _, _ := unstructured.NestedInt64(cc.Object, "status", "observedGeneration")
		return seen == cc.GetGeneration() && conditionTrue(cc, clusterv1.ClusterClassVariablesReadyCondition)
	})
}

func conditionTrue(obj *unstructured.Unstructured, kind string) bool {
	conditions, _, _ := unstructured.NestedSlice(obj.Object, "status", "conditions")
	for _, c := range conditions {
		if condition, _ := c.(map[string]any); condition["type"] == kind {
			return condition["status"] == "True"
		}
	}
	return false
}

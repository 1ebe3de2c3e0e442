package seed

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestSeeds checks what a start would only tell after a minute: that every
// file can be read, and that clusters name classes and pools that exist.
func TestSeeds(t *testing.T) {
	if _, err := embedded("people.yaml"); err != nil {
		t.Error(err)
	}
	pools := map[string][]string{}
	for _, o := range all(t, "classes") {
		if o.GetNamespace() != "catalog" {
			t.Errorf("%s isn't in the catalogue", o.GetName())
		}
		if o.GetKind() != "ClusterClass" {
			continue
		}
		pools[o.GetName()] = names(t, o, "class", "spec", "workers", "machineDeployments")
	}
	clusters := 0
	for _, o := range all(t, "demo") {
		if o.GetKind() != "Cluster" {
			continue
		}
		clusters++
		class, found, _ := unstructured.NestedString(o.Object, "spec", "topology", "classRef", "name")
		if !found {
			continue
		}
		for _, pool := range names(t, o, "class", "spec", "topology", "workers", "machineDeployments") {
			if !slices.Contains(pools[class], pool) {
				t.Errorf("cluster %s names pool class %q, class %s has %q", o.GetName(), pool, class, pools[class])
			}
		}
	}
	if len(pools) != 3 || clusters < 10 {
		t.Errorf("%d classes and %d clusters", len(pools), clusters)
	}
}

func all(t *testing.T, dir string) []*unstructured.Unstructured {
	t.Helper()
	groups, err := folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(groups...)
}

func names(t *testing.T, o *unstructured.Unstructured, field string, path ...string) []string {
	t.Helper()
	list, _, err := unstructured.NestedSlice(o.Object, path...)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, entry := range list {
		if fields, ok := entry.(map[string]any); ok {
			name, _, _ := unstructured.NestedString(fields, field)
			found = append(found, name)
		}
	}
	return found
}

package catalog

import (
	"encoding/json"
	"os"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/yaml"
)

// classFrom reads a ClusterClass of testdata.
func classFrom(t testing.TB, file string) *clusterv1.ClusterClass {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var cc clusterv1.ClusterClass
	if err := yaml.UnmarshalStrict(raw, &cc); err != nil {
		t.Fatal(err)
	}
	return &cc
}

func every(t testing.TB) *Schema {
	t.Helper()
	return NewSchema(classFrom(t, "every.yaml"))
}

// vars makes variables of a JSON object.
func vars(t testing.TB, object string) []clusterv1.ClusterVariable {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(object), &m); err != nil {
		t.Fatalf("%v in %s", err, object)
	}
	var out []clusterv1.ClusterVariable
	for _, name := range sortedKeys(m) {
		v := clusterv1.ClusterVariable{Name: name}
		v.Value.Raw = m[name]
		out = append(out, v)
	}
	return out
}

// text is the variables as one canonical JSON object.
func text(t testing.TB, variables []clusterv1.ClusterVariable) string {
	t.Helper()
	m := make(map[string]any)
	for _, v := range variables {
		value, err := decode(v.Value.Raw)
		if err != nil {
			t.Fatalf("%v in %s", err, v.Value.Raw)
		}
		m[v.Name] = value
	}
	return string(canonical(m))
}

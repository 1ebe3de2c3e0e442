package catalog

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// A value that would need too many inputs is edited as YAML, and comes back as it
// was; one more entry than there is room for is refused where it was asked for.
func TestCrowdedListsAreYAML(t *testing.T) {
	text := clusterv1.JSONSchemaProps{Type: "string"}
	list := clusterv1.JSONSchemaProps{Type: "array", Items: &text}
	cc := &clusterv1.ClusterClass{}
	for name, s := range map[string]clusterv1.JSONSchemaProps{
		"list": list, "nested": {Type: "array", Items: &list}, "map": {Type: "object", AdditionalProperties: &text},
	} {
		cc.Spec.Variables = append(cc.Spec.Variables, clusterv1.ClusterClassVariable{Name: name, Schema: clusterv1.VariableSchema{OpenAPIV3Schema: s}})
	}
	schema := NewSchema(cc)
	flat := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(`"a",`, n), ",") + "]" }
	keys := make([]string, maxInputs+1)
	for i := range keys {
		keys[i] = fmt.Sprintf(`"k%d":"v"`, i)
	}
	for name, c := range map[string]struct {
		variable, value string
		yaml            bool
	}{
		"a list with room":    {"list", flat(maxInputs), false},
		"a long list":         {"list", flat(maxInputs + 1), true},
		"many short ones":     {"nested", "[" + strings.Repeat(flat(99)+",", 10) + flat(1) + "]", true},
		"a map of many keys":  {"map", "{" + strings.Join(keys, ",") + "}", true},
		"a map of some fewer": {"map", "{" + strings.Join(keys[:9], ",") + "}", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := FromVariables(schema, "v", []clusterv1.ClusterVariable{{Name: c.variable, Value: apiextensionsv1.JSON{Raw: []byte(c.value)}}})
			if got := s.Variable(c.variable).Raw; got != c.yaml {
				t.Errorf("YAML: %v", got)
			}
			again := Parse(schema, "v", s.Values())
			vars, faults := again.Variables()
			if len(faults) > 0 || len(vars) != 1 || len(vars[0].Value.Raw) != len(c.value) {
				t.Errorf("lost something: %v", faults)
			}
		})
	}
	full := FromVariables(schema, "v", []clusterv1.ClusterVariable{{Name: "list", Value: apiextensionsv1.JSON{Raw: []byte(flat(maxInputs))}}})
	next, focus, fault, err := full.Do(Action{Verb: VerbAdd, Name: "v.list"})
	if err != nil || fault == nil || fault.Field != "v.list" || focus != "v.list" || len(next.Variable("list").Rows) != maxInputs {
		t.Errorf("one more: focus %q, fault %v, %v", focus, fault, err)
	}
}

// More rows than a page would make are YAML with the same value.
func TestCrowdedRequest(t *testing.T) {
	text := clusterv1.JSONSchemaProps{Type: "string"}
	cc := &clusterv1.ClusterClass{}
	cc.Spec.Variables = []clusterv1.ClusterClassVariable{{Name: "list",
		Schema: clusterv1.VariableSchema{OpenAPIV3Schema: clusterv1.JSONSchemaProps{Type: "array", Items: &text}}}}
	values := url.Values{}
	for i := range 3 * maxInputs {
		values.Set(fmt.Sprintf("v.list.~i%d", i), "a")
	}
	n := Parse(NewSchema(cc), "v", values).Variable("list")
	if value, _, faults := n.value(); !n.Raw || len(n.Rows) > 0 || len(faults) > 0 || len(value.([]any)) != 3*maxInputs {
		t.Errorf("YAML: %v, %d rows, %v", n.Raw, len(n.Rows), faults)
	}
}

package catalog

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/yaml"

	"github.com/capstan-portal/capstan/internal/fail"
)

// numbers is a class of numbers of every width, and of a choice.
func numbers(t *testing.T) *Schema {
	t.Helper()
	definition := func(name, schema string) clusterv1.ClusterClassStatusVariable {
		v := clusterv1.ClusterClassStatusVariable{Name: name, Definitions: []clusterv1.ClusterClassStatusVariableDefinition{{From: "inline"}}}
		if err := yaml.UnmarshalStrict([]byte(schema), &v.Definitions[0].Schema.OpenAPIV3Schema); err != nil {
			t.Fatal(err)
		}
		return v
	}
	cc := &clusterv1.ClusterClass{}
	cc.Status.Variables = []clusterv1.ClusterClassStatusVariable{
		definition("small", "{type: integer, format: int32}"), definition("long", "{type: integer, format: int64}"),
		definition("wide", "{type: integer}"), definition("float", "{type: number, format: float}"),
		definition("disk", "{type: object, properties: {gb: {type: integer, maximum: 2000}}}"),
		definition("share", "{x-kubernetes-int-or-string: true}"),
		definition("choice", "{type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [a]}, {required: [b]}]}"),
		definition("labels", "{type: object, additionalProperties: {type: string}}"),
	}
	return NewSchema(cc)
}

// A number that is too large has one fault, in the plainest words.
func TestOneFaultForALargeNumber(t *testing.T) {
	schema := numbers(t)
	checker := NewChecker(schema)
	for object, want := range map[string]string{
		`{"small":3000000000}`:                    "v.small Beyond the range of int32.",
		`{"small":-5}`:                            "",
		`{"long":9223372036854775807}`:            "v.long Cluster API can't keep this number exactly, it would become 9223372036854775808: choose a smaller one.",
		`{"long":9223372036854775808}`:            "v.long Beyond the range of int64.",
		`{"wide":99999999999999999999}`:           "v.wide Beyond the range of int64.",
		`{"float":1e39}`:                          "v.float Beyond the range of float.",
		`{"disk":{"gb":99999999999999999999999}}`: "v.disk.gb Must be 2000 or less.",
		`{"share":99999999999999999999}`:          "v.share Cluster API can't keep this number exactly, it would become 100000000000000000000: choose a smaller one.",
		`{"share":-0,"wide":-0}`:                  "",
		`{"choice":{}}`:                           "v.choice Set exactly one of: a, b.",
		`{"choice":{"a":"x"}}`:                    "",
	} {
		state := Parse(schema, "v", FromVariables(schema, "v", vars(t, object)).Values())
		if got := said(t, checker.Check(t.Context(), state, nil)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", object, got, want)
		}
	}
}

// What the API server says beside a fault is no second one.
func TestCausesThatOnlyRepeat(t *testing.T) {
	form := &Form{Cluster: FromVariables(numbers(t), "v", vars(t, `{"choice":{},"small":3000000000,"disk":{"gb":1}}`))}
	const choice = "spec.topology.variables[choice].value"
	causes := []metav1.StatusCause{
		{Field: choice, Message: `Invalid value: "{}": must validate one and only one schema (oneOf)`},
		{Field: choice + ".a", Message: `Required value`},
		{Field: "spec.topology.variables[small].value", Message: `Invalid value: "3000000000": Checked value must be of type integer with format int32 in `},
		{Field: "spec.topology.variables[disk].value", Message: `Invalid value: "{}": Checked value must be of type integer (default format) in gb`},
		{Field: "<nil>", Message: "Invalid value: null: " + unchecked},
	}
	var faults []fail.Fault
	for _, r := range form.Explain(causes) {
		faults = append(faults, r.Fault)
	}
	want := []string{"v.choice Set exactly one of: a, b.", "v.small Beyond the range of int32.", "v.disk.gb Beyond the range of int64."}
	if got := strings.Split(said(t, faults), "\n"); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if alone := form.Explain(causes[1:2]); len(alone) != 1 {
		t.Errorf("a cause that stands alone is lost: %v", alone)
	}
}

// What this reader refuses of YAML is said in the person's language.
func TestYAMLRefusals(t *testing.T) {
	for text, want := range map[string]string{
		"a: &x b":                "This is not valid YAML: line 1: anchors and aliases are not supported",
		"a: b\na: c":             "This is not valid YAML: line 2: the key a is there twice",
		"? [x]\n: y":             "This is not valid YAML: line 1: a key must be text",
		"a: b\n---\nc: d":        "This is not valid YAML: more than one document",
		"# words":                "This is not valid YAML: there is nothing but comments",
		"a: .inf":                "This is not valid YAML: line 1: this number has no counterpart in JSON",
		"a: !!binary aGk=":       "This is not valid YAML: line 1: the tag !!binary is not supported",
		"\n- a\n b: c":           "This is not valid YAML: line 3: mapping values are not allowed in this context",
		"a: '":                   "This is not valid YAML: found unexpected end of stream",
		strings.Repeat("[", 300): "This is not valid YAML: line 1: did not find expected node content",
	} {
		_, faults := readYAML("v.x", text)
		if got := said(t, faults); got != "v.x "+want {
			t.Errorf("%q\ngot  %s\nwant %s", text, got, want)
		}
	}
}

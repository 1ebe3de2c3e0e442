package catalog

import (
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

func TestKinds(t *testing.T) {
	schema := every(t)
	for name, want := range map[string]Kind{
		"text": KindString, "count": KindInteger, "ratio": KindNumber, "flag": KindBoolean, "zone": KindEnum,
		"anything": KindEnum, "percent": KindIntOrString, "free": KindYAML, "object": KindObject, "peers": KindArray,
		"labels": KindMap, "open": KindObject, "allof": KindInteger,
	} {
		if got := schema.Variable(name).Kind; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestTheFieldTree(t *testing.T) {
	schema := every(t)
	var paths []string
	schema.Variable("object").Walk(func(f *Field) { paths = append(paths, f.Path) })
	want := []string{
		"object", "object.cidr", "object.inner", "object.inner.a.b", "object.inner.a/c",
		"object.mode", "object.mtu", "object.optional", "object.optional.deep",
	}
	if !slices.Equal(paths, want) {
		t.Errorf("got %v, want %v", paths, want)
	}
	object := schema.Variable("object")
	if r := object.Rules; len(r) != 2 || r[0].Transition || !r[1].Transition {
		t.Errorf("rules %+v", r)
	}
	if mode := object.Fields[2]; !mode.Hints.Advanced || string(mode.Default) != `"slow"` {
		t.Errorf("mode %+v", mode)
	}
	if c := schema.Variable("oneof").Choices; len(c) != 1 || c[0].How != OneOf || !c[0].Branches[1].OnlyRequired {
		t.Errorf("choices %+v", c)
	}
	if c := schema.Variable("percent").Choices; len(c) != 0 {
		t.Errorf("an int-or-string's anyOf is no choice: %+v", c)
	}
	if c := schema.Variable("excluded").Choices; len(c) != 1 || c[0].How != Not || c[0].Branches[0].YAML != "enum:\n  - bad\n" {
		t.Errorf("choices %+v", c)
	}
}

func TestHints(t *testing.T) {
	schema := every(t)
	h := schema.Variable("text").Hints
	if h.Order == nil || *h.Order != 1 || h.Group != "Basics" || h.Label != "Text" || h.Help != "What it is for" {
		t.Errorf("got %+v", h)
	}
	if !schema.Variable("password").Hints.Secret {
		t.Error("format password is a secret")
	}
	for value, want := range map[string]bool{"": true, "true": true, "false": false, "No": false} {
		if got := newHints(map[string]string{"x/ui-advanced": value}).Advanced; got != want {
			t.Errorf("%q: got %v", value, got)
		}
	}
}

func TestSchemaComesFromTheStatus(t *testing.T) {
	cc := classFrom(t, "every.yaml")
	if s := NewSchema(cc); s.Reconciled || len(s.Variables) != len(cc.Spec.Variables) || s.Variables[0].From[0] != "inline" {
		t.Errorf("a class that was never reconciled: %+v", s)
	}
	conflict, required := true, true
	definition := func(from, kind string) clusterv1.ClusterClassStatusVariableDefinition {
		return clusterv1.ClusterClassStatusVariableDefinition{From: from, Required: &required,
			Schema: clusterv1.VariableSchema{OpenAPIV3Schema: clusterv1.JSONSchemaProps{Type: kind}}}
	}
	cc.Status = clusterv1.ClusterClassStatus{
		ObservedGeneration: cc.Generation,
		Conditions:         []metav1.Condition{{Type: clusterv1.ClusterClassVariablesReadyCondition, Status: metav1.ConditionTrue}},
		Variables: []clusterv1.ClusterClassStatusVariable{
			{Name: "same", Definitions: []clusterv1.ClusterClassStatusVariableDefinition{definition("inline", "string"), definition("p", "string")}},
			{Name: "differs", DefinitionsConflict: &conflict, Definitions: []clusterv1.ClusterClassStatusVariableDefinition{definition("inline", "string"), definition("p", "integer")}},
		},
	}
	s := NewSchema(cc)
	same, differs := s.Variable("same"), s.Variable("differs")
	if !s.Reconciled || same.Conflict || len(same.Others) != 0 || !slices.Equal(same.From, []string{"inline", "p"}) {
		t.Errorf("got %+v", same)
	}
	if !differs.Conflict || len(differs.Others) != 1 || !slices.Equal(s.Conflicts(), []string{"differs"}) {
		t.Errorf("got %+v", differs)
	}
}

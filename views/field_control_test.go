package views

import (
	"testing"

	"github.com/capstan-portal/capstan/internal/catalog"
)

// Every container that must be there can be sent empty, by a button.
func TestRequiredContainersCanBeEmpty(t *testing.T) {
	for _, kind := range []catalog.Kind{catalog.KindObject, catalog.KindArray, catalog.KindMap} {
		for _, set := range []bool{false, true} {
			node := &catalog.Node{Name: "v.a", Set: set, Field: &catalog.Field{Kind: kind, Required: true}}
			if got := buttonsOf(node, controlOf(node, false)).Set != ""; got == set {
				t.Errorf("%v, set %v: a button to set it: %v", kind, set, got)
			}
		}
	}
}

// Texts of several lines can be typed wherever a schema allows them, secrets
// included.
func TestSeveralLines(t *testing.T) {
	for name, c := range map[string]struct {
		field catalog.Field
		want  bool
	}{
		"text":              {catalog.Field{}, true},
		"secret":            {catalog.Field{Format: "password", Hints: catalog.Hints{Secret: true}}, true},
		"a format unknown":  {catalog.Field{Format: "cloud-config"}, true},
		"a format of lines": {catalog.Field{Format: "byte"}, true},
		"an address":        {catalog.Field{Format: "ipv4"}, false},
		"a pattern":         {catalog.Field{Pattern: "^a$"}, false},
	} {
		c.field.Kind = catalog.KindString
		node := &catalog.Node{Name: "v.a", Field: &c.field}
		if got := buttonsOf(node, controlOf(node, false)).Lines != ""; got != c.want {
			t.Errorf("%s: a button for several lines: %v, want %v", name, got, c.want)
		}
	}
}

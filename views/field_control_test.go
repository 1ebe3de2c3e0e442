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

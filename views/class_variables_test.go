package views

import (
	"testing"

	"github.com/capstan-portal/capstan/internal/catalog"
)

// Where a definition comes from is said only in a class that mixes sources.
func TestSourceIsSaidWhereItDiffers(t *testing.T) {
	p := storyPage(t, "en", "")
	cc := storyClass(p)
	for _, row := range newClassVariables(p, catalog.NewBlueprint(cc)).Groups[0].Rows {
		if row.Source != "" {
			t.Errorf("%s: said %q", row.Name, row.Source)
		}
	}
	cc.Status.Variables[0].Definitions[0].From = "discover"
	said := map[string]bool{}
	for _, g := range newClassVariables(p, catalog.NewBlueprint(cc)).Groups {
		for _, row := range g.Rows {
			said[row.Source] = true
		}
	}
	if !said["Defined by the patch discover"] || !said["Defined by the class itself"] {
		t.Errorf("said %v", said)
	}
}

package views

import (
	"testing"

	"github.com/capstan-portal/capstan/internal/topology"
)

func TestWhatGoesIsHeadedByWhetherAllDo(t *testing.T) {
	p := storyPage(t, "en", "")
	three := 3
	for to, want := range map[int]string{0: "All of these go", 1: "These go first"} {
		var v pendingView
		v.preview(p, &topology.Preview{Pool: "web", From: &three, To: to, Removed: []string{"a", "b"}})
		if v.GoesTitle != want {
			t.Errorf("to %d: %q", to, v.GoesTitle)
		}
	}
}

// A form of many pools and variables lists only what is set, until it is asked.
func TestManyPoolsListFewOverrides(t *testing.T) {
	p := storyPage(t, "en", "")
	in := storyForm(p)
	for range 30 {
		in.Form, _, _, _ = in.Form.Do(in.Blueprint, topology.DoAddPool)
	}
	if newCreate(p, in).Pools[1].Crowded {
		t.Error("some pools and variables are called many")
	}
	one := in.Blueprint.Schema.Variables[0]
	for range manyOverrides / 30 {
		in.Blueprint.Schema.Variables = append(in.Blueprint.Schema.Variables, one)
	}
	pool := newCreate(p, in).Pools[1]
	if len(pool.Overrides) != 0 || !pool.Crowded || pool.ShowAll == "" {
		t.Errorf("%d overrides, button %q", len(pool.Overrides), pool.ShowAll)
	}
}

package views

import (
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/topology"
)

// What leaves no progress behind has a way back, too, as long as it stands.
func TestUndoOfWhoDecides(t *testing.T) {
	p := storyPage(t, "en", "")
	scaled := storyCluster(p.Now).Pools[2] // autoscaled, 2 to 10
	scaled.Freeze, scaled.Release = true, true
	fixed := scaled
	fixed.Mode, fixed.Wish, fixed.Min, fixed.Max = topology.ModeFixed, num(6), nil, nil
	now, before := &topology.Range{Min: 2, Max: 10}, &topology.Range{Min: 1, Max: 4}
	for name, tc := range map[string]struct {
		pool   topology.Pool
		change topology.Change
		want   string
	}{
		"another range":      {scaled, topology.Change{Range: now, Before: before}, "Undo: back to 1 to 4, autoscaled"},
		"given away":         {scaled, topology.Change{Range: now, From: num(3)}, "Undo: back to 3, fixed"},
		"taken back":         {fixed, topology.Change{To: num(6), Before: before}, "Undo: back to 1 to 4, autoscaled"},
		"a mere number":      {fixed, topology.Change{To: num(6), From: num(3)}, ""},
		"another range now":  {scaled, topology.Change{Range: before, Before: now}, ""},
		"another number now": {fixed, topology.Change{To: num(5), Before: before}, ""},
		"somebody else's":    {scaled, topology.Change{Range: now, Before: before, Who: "oidc:grace"}, ""},
		"long ago":           {scaled, topology.Change{Range: now, Before: before, At: p.Now.Add(-time.Hour)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tc.change.Pool, tc.change.Kind = tc.pool.Name, tc.pool.Kind
			if tc.change.Who == "" {
				tc.change.Who = "oidc:team-a-dev"
			}
			if tc.change.At.IsZero() {
				tc.change.At = p.Now.Add(-time.Minute)
			}
			c := storyCluster(p.Now)
			c.Changes = []topology.Change{tc.change}
			got := ""
			if undo := newSwitchUndo(p, c, tc.pool); undo != nil {
				got = undo.Text
			}
			if got != tc.want {
				t.Errorf("offered %q, want %q", got, tc.want)
			}
		})
	}
}

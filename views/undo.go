package views

import (
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// undoTime is how long after a change its author is offered the way back.
const undoTime = 15 * time.Minute

// undoView is the form that writes what stood there before a change.
type undoView struct {
	Action           templ.SafeURL
	UID, Seen        string
	To, Text         string
	Mode             topology.Mode // who decides again; "" only scales
	Min, Max         string        // the range from before
	SeenMin, SeenMax string
	Live             string // what the autoscaler has set
}

// newUndo offers the way back to the author of a recent change that nobody has
// changed again.
func newUndo(p Page, c topology.Cluster, pool topology.Pool) *undoView {
	g := pool.Progress
	if !c.May.Scale || !pool.Locked.IsZero() || pool.Wish == nil || *pool.Wish != g.To || g.From == g.To || g.From < 0 {
		return nil
	}
	if !p.mine(g.Who) || p.Now.Sub(g.Began) > undoTime {
		return nil
	}
	return &undoView{
		Action: templ.SafeURL(p.URLs.Scale(c.Ref, pool.Kind, address(pool.Kind, pool.Name))), UID: c.UID, Seen: strconv.Itoa(g.To), To: strconv.Itoa(g.From),
		Text: p.t("views.undo", message.Num("n", g.From)),
	}
}

// newSwitchUndo does the same for a change of the range or of who decides. That
// leaves no progress behind, so the portal's own record of it is looked at.
func newSwitchUndo(p Page, c topology.Cluster, pool topology.Pool) *undoView {
	last := lastChange(c, pool)
	if last == nil || last.Range == nil && last.Before == nil || !c.May.Scale || !pool.Release {
		return nil
	}
	if !p.mine(last.Who) || p.Now.Sub(last.At) > undoTime || !stands(*last, pool) {
		return nil
	}
	v := &undoView{Action: templ.SafeURL(p.URLs.Scale(c.Ref, pool.Kind, address(pool.Kind, pool.Name))), UID: c.UID, Seen: optional(pool.Wish)}
	v.SeenMin, v.SeenMax = bounds(last.Range)
	switch {
	case last.Before != nil:
		v.Mode, v.Text = topology.ModeAutoscaled, p.t("views.undo.range", message.Num("min", last.Before.Min), message.Num("max", last.Before.Max))
		v.Min, v.Max = bounds(last.Before)
	case last.From != nil && pool.Freeze:
		v.Mode, v.Text = topology.ModeFixed, p.t("views.undo.fixed", message.Num("n", *last.From))
		v.To, v.Live = strconv.Itoa(*last.From), strconv.Itoa(pool.Counts.Desired)
	default:
		return nil
	}
	return v
}

// lastChange is the newest change of the pool; nil when none is known.
func lastChange(c topology.Cluster, pool topology.Pool) *topology.Change {
	for i := range c.Changes {
		if ch := &c.Changes[i]; ch.Kind == pool.Kind && ch.Pool == pool.Name {
			return ch
		}
	}
	return nil
}

// stands tells whether the pool still is as the change left it.
func stands(last topology.Change, pool topology.Pool) bool {
	if last.Range != nil {
		return pool.Min != nil && pool.Max != nil && *pool.Min == last.Range.Min && *pool.Max == last.Range.Max
	}
	return pool.Mode == topology.ModeFixed && pool.Wish != nil && last.To != nil && *pool.Wish == *last.To
}

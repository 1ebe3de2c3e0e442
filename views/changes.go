package views

import (
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// changesView is what people changed through the portal, newest first.
type changesView struct {
	Page
	Denied bool
	Rows   []changeView
}

type changeView struct {
	At   when
	Text string
}

func newChanges(p Page, c topology.Cluster) changesView {
	v := changesView{Page: p, Denied: c.Denied[topology.KindEvent]}
	for _, change := range c.Changes {
		pool := change.Pool
		if change.Kind == topology.PoolControlPlane {
			pool = p.t("views.cp.small")
		}
		v.Rows = append(v.Rows, changeView{clock(change.At), p.t("views.changes.scaled",
			message.Str("who", change.Who), message.Str("pool", pool),
			message.Str("from", p.wish(change.From)), message.Str("to", p.wish(change.To)))})
	}
	return v
}

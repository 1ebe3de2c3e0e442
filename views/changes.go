package views

import (
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// changesView is what people changed through the portal, newest first.
type changesView struct {
	Page
	Denied  bool
	Rows    []changeView
	Setters []changeView // who set the numbers of which no change tells, from managedFields
}

type changeView struct {
	At   when
	Text string
}

func newChanges(p Page, c topology.Cluster) changesView {
	v := changesView{Page: p, Denied: c.Denied[topology.KindEvent]}
	told := map[string]bool{}
	for _, change := range c.Changes {
		told[poolID(change.Kind, change.Pool)] = !change.Created
		v.Rows = append(v.Rows, changeView{clock(change.At), p.change(change)})
	}
	for _, pool := range append([]topology.Pool{c.CP}, c.Pools...) {
		if told[poolID(pool.Kind, pool.Name)] || pool.Setter.Manager == "" || pool.Setter.Tool == topology.ToolCAPI {
			continue
		}
		v.Setters = append(v.Setters, changeView{clock(pool.Setter.At), p.setter(pool)})
	}
	return v
}

// change says one change in a sentence.
func (p Page) change(change topology.Change) string {
	who, pool := message.Str("who", change.Person()), message.Str("pool", p.poolName(change.Kind, change.Pool))
	from := message.Str("from", p.wish(change.From))
	switch {
	case change.Created:
		return p.t("views.changes.created", who)
	case change.Range != nil && change.Before != nil:
		return p.t("views.changes.ranged", who, pool, message.Num("frommin", change.Before.Min), message.Num("frommax", change.Before.Max),
			message.Num("min", change.Range.Min), message.Num("max", change.Range.Max))
	case change.Range != nil:
		return p.t("views.changes.released", who, pool, from, message.Num("min", change.Range.Min), message.Num("max", change.Range.Max))
	case change.From == nil || change.Before != nil:
		return p.t("views.changes.fixed", who, pool, message.Str("to", p.wish(change.To)))
	default:
		return p.t("views.changes.scaled", who, pool, from, message.Str("to", p.wish(change.To)))
	}
}

// setter says who set a pool's number, as far as managedFields tell.
func (p Page) setter(pool topology.Pool) string {
	name := message.Str("pool", p.poolName(pool.Kind, pool.Name))
	if pool.Setter.Tool == topology.ToolPortal {
		return p.t("views.changes.portal", name)
	}
	return p.t("views.changes.setter", name, message.Str("manager", p.tool(pool.Setter)))
}

// poolName is a pool's name, or what the control plane is called.
func (p Page) poolName(kind topology.PoolKind, name string) string {
	if kind == topology.PoolControlPlane {
		return p.t("views.cp.small")
	}
	return name
}

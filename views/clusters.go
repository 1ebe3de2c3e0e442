package views

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// clustersView is the list of clusters.
type clustersView struct {
	Page
	Count  string
	Tabs   []tabView
	Filter filterView
	Heads  []headView
	Rows   []rowView
	Order  string // ids of the rows as they stand
	Pager  pagerView
	Empty  *emptyView
	Create templ.SafeURL // empty when the person may create nowhere
}

type tabView struct {
	URL     templ.SafeURL
	Text    string
	Count   string
	Current bool
}

// rowView is one cluster in the list.
type rowView struct {
	ID              string
	URL             templ.SafeURL
	Name, Namespace string
	State           stateView
	Class, ClassNS  string
	Version         string
	CP, Workers     barView
	CPLabel, WLabel string
	Age             when
}

// Clusters is the list of clusters.
func Clusters(p Page, in ClustersInput) Screen {
	v := newClusters(p, in)
	// An empty order is still one: rows that a page shows have gone then.
	s := Screen{Title: p.t("views.clusters.title"), Body: clusters(v), Order: []string{}}
	for _, row := range v.Rows {
		s.Regions = append(s.Regions, Region{ID: row.ID, Body: clusterRow(row)})
		s.Order = append(s.Order, row.ID)
	}
	s.Regions = append(s.Regions, Region{ID: "count", Body: clusterCount(v.Count)}, Region{ID: "tabs", Body: tabs(v)},
		Region{ID: "pager", Body: pager(v.Pager)}, Region{ID: "say", Body: say("")})
	return s
}

func newClusters(p Page, in ClustersInput) clustersView {
	l := in.Listing
	v := clustersView{Page: p, Tabs: newTabs(p, l), Filter: newFilter(p, l), Heads: newHeads(p, l.Query)}
	v.Count = p.t("views.clusters.count", message.Num("clusters", l.Total), message.Num("n", len(l.Namespaces)))
	ids := make([]string, 0, len(l.Rows))
	for _, c := range l.Rows {
		row := newRow(p, c)
		v.Rows = append(v.Rows, row)
		ids = append(ids, row.ID)
	}
	v.Order = strings.Join(ids, " ")
	if in.MayCreate {
		v.Create = templ.SafeURL(p.URLs.Create())
	}
	v.Pager = newPager(p, l)
	if len(l.Rows) == 0 {
		v.Empty = newEmpty(p, in)
	}
	return v
}

func newRow(p Page, c topology.Summary) rowView {
	v := rowView{
		ID: "row-" + c.UID, URL: templ.SafeURL(p.URLs.Cluster(c.Ref)), Name: c.Name, Namespace: c.Namespace,
		State: newState(p, c.State), Class: c.Class.Name, Version: c.Version,
		CP: newBar(p, c.ControlPlane), Workers: newBar(p, c.Workers),
		CPLabel: p.t("views.clusters.cp"), WLabel: p.t("views.clusters.workers"), Age: age(c.Created),
	}
	if c.Class.Namespace != c.Namespace {
		v.ClassNS = c.Class.Namespace + "/"
	}
	return v
}

func newTabs(p Page, l topology.Listing) []tabView {
	var tabs []tabView
	for _, tab := range []struct {
		state string
		key   message.Key
	}{
		{"", "views.tab.all"}, {"attention", "views.tab.attention"}, {"changing", "views.tab.changing"},
		{"paused", "views.tab.paused"}, {"healthy", "views.tab.healthy"},
	} {
		q := l.Query
		q.State, q.Page = tab.state, 1
		tabs = append(tabs, tabView{templ.SafeURL(p.URLs.Clusters(q.Values())), p.t(tab.key), number(l.Tabs[tab.state]), l.Query.State == tab.state})
	}
	return tabs
}

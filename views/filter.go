package views

import (
	"strconv"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// filterView is the GET form above the list; what it doesn't show it carries
// on in hidden fields.
type filterView struct {
	Page
	Action  templ.SafeURL
	Search  string
	Selects []selectView
	Hidden  []Typed
	Reset   templ.SafeURL
	Any     bool // something is filtered
}

type selectView struct {
	ID, Name, Label string
	Options         []optionView
}

type optionView struct {
	Value, Text string
	Selected    bool
}

func newFilter(p Page, l topology.Listing) filterView {
	q := l.Query
	v := filterView{Page: p, Action: templ.SafeURL(p.URLs.Clusters(nil)), Search: q.Search}
	v.Selects = []selectView{
		newSelect(p, "ns", "views.col.namespace", l.Namespaces, q.Namespace),
		newSelect(p, "class", "views.col.class", l.Classes, q.Class),
		newSelect(p, "version", "views.col.version", l.Versions, q.Version),
	}
	kept := topology.Query{State: q.State, Sort: q.Sort, Desc: q.Desc}
	for name, values := range kept.Values() {
		for _, value := range values {
			v.Hidden = append(v.Hidden, Typed{name, value})
		}
	}
	v.Reset = templ.SafeURL(p.URLs.Clusters(kept.Values()))
	v.Any = q.Search+q.Namespace+q.Class+q.Version != ""
	return v
}

func newSelect(p Page, name string, label message.Key, values []string, current string) selectView {
	v := selectView{ID: "f-" + name, Name: name, Label: p.t(label)}
	v.Options = append(v.Options, optionView{"", p.t("views.filter.all"), current == ""})
	known := current == ""
	for _, value := range values {
		known = known || value == current
		v.Options = append(v.Options, optionView{value, value, value == current})
	}
	if !known {
		v.Options = append(v.Options, optionView{current, current, true})
	}
	return v
}

// headView is the head of a column that can be sorted by.
type headView struct {
	Text, Icon, Sort string // Sort is the aria-sort value; "" when not sorted by it
	URL              templ.SafeURL
	Right            bool
}

func newHeads(p Page, q topology.Query) []headView {
	var heads []headView
	sorted := q.Sort
	if sorted == "" {
		sorted = topology.SortState // the order of attention
	}
	for _, c := range []struct {
		sort  string
		key   message.Key
		right bool
	}{
		{topology.SortName, "views.col.cluster", false}, {topology.SortNamespace, "views.col.namespace", false},
		{topology.SortState, "views.col.state", false}, {topology.SortClass, "views.col.class", false},
		{topology.SortVersion, "views.col.version", false}, {topology.SortControlPlane, "views.clusters.cp", false},
		{topology.SortWorkers, "views.clusters.workers", false}, {topology.SortAge, "views.col.age", true},
	} {
		next := q
		next.Sort, next.Page, next.Desc = c.sort, 1, sorted == c.sort && !q.Desc
		h := headView{Text: p.t(c.key), Icon: "sort", URL: templ.SafeURL(p.URLs.Clusters(next.Values())), Right: c.right}
		if sorted == c.sort {
			h.Icon, h.Sort = "asc", "ascending"
			if q.Desc {
				h.Icon, h.Sort = "desc", "descending"
			}
		}
		heads = append(heads, h)
	}
	return heads
}

// pagerView leads through the pages of the list.
type pagerView struct {
	Page
	Shown      string // "1–50 of 120"; empty when there is nothing to page
	Pages      []pageLink
	Prev, Next templ.SafeURL
	Label      string
}

type pageLink struct {
	Text    string
	URL     templ.SafeURL
	Current bool
	Gap     bool
}

func newPager(p Page, l topology.Listing) pagerView {
	v := pagerView{Page: p, Label: p.t("views.pager.label")}
	if l.Matching == 0 || len(l.Rows) == 0 {
		return v
	}
	current := max(l.Query.Page, 1)
	first := (current-1)*topology.PageSize + 1
	v.Shown = p.t("views.pager.shown", message.Num("first", first), message.Num("last", first+len(l.Rows)-1), message.Num("n", l.Matching))
	url := func(n int) templ.SafeURL {
		q := l.Query
		q.Page = n
		return templ.SafeURL(p.URLs.Clusters(q.Values()))
	}
	if l.Pages <= 1 {
		return v
	}
	if current > 1 {
		v.Prev = url(current - 1)
	}
	if current < l.Pages {
		v.Next = url(current + 1)
	}
	for n := 1; n <= l.Pages; n++ {
		switch {
		case n == 1 || n == l.Pages || (n >= current-2 && n <= current+2):
			v.Pages = append(v.Pages, pageLink{Text: strconv.Itoa(n), URL: url(n), Current: n == current})
		case n == 2 || n == l.Pages-1:
			v.Pages = append(v.Pages, pageLink{Gap: true})
		}
	}
	return v
}

func sortTone(sorted string) string {
	if sorted == "" {
		return "text-ink-3"
	}
	return "text-accent"
}

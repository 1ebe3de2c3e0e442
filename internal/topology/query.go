package topology

import (
	"net/url"
	"strconv"
	"strings"
)

// The columns that the list can be sorted by; "" is the order of attention.
const (
	SortName         = "name"
	SortNamespace    = "namespace"
	SortState        = "state"
	SortClass        = "class"
	SortVersion      = "version"
	SortControlPlane = "controlPlane"
	SortWorkers      = "workers"
	SortAge          = "age" // youngest first
)

// The tabs of the list; "" is all.
const (
	TabAttention = "attention"
	TabChanging  = "changing"
	TabPaused    = "paused"
	TabHealthy   = "healthy"
)

// searchLimit is how much of a search is looked at, in bytes.
const searchLimit = 200

// ParseQuery reads a Query from a URL; a bad value falls back to its default.
func ParseQuery(v url.Values) Query {
	q := Query{
		Search:    cut(strings.TrimSpace(v.Get("q"))),
		Namespace: v.Get("ns"), Class: v.Get("class"), Version: v.Get("version"),
		Page: 1,
	}
	switch tab := v.Get("state"); tab {
	case TabAttention, TabChanging, TabPaused, TabHealthy:
		q.State = tab
	}
	switch column := v.Get("sort"); column {
	case SortName, SortNamespace, SortState, SortClass, SortVersion, SortControlPlane, SortWorkers, SortAge:
		q.Sort, q.Desc = column, v.Get("desc") == "1"
	}
	if page, err := strconv.Atoi(v.Get("page")); err == nil && page > 1 {
		q.Page = page
	}
	return q
}

func cut(s string) string {
	if len(s) <= searchLimit {
		return s
	}
	return strings.ToValidUTF8(s[:searchLimit], "")
}

// Values is the Query as URL parameters, defaults left out.
func (q Query) Values() url.Values {
	v := url.Values{}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set("q", q.Search)
	set("ns", q.Namespace)
	set("class", q.Class)
	set("version", q.Version)
	set("state", q.State)
	set("sort", q.Sort)
	if q.Desc && q.Sort != "" {
		v.Set("desc", "1")
	}
	if q.Page > 1 {
		v.Set("page", strconv.Itoa(q.Page))
	}
	return v
}

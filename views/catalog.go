package views

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// catalogView is the list of classes.
type catalogView struct {
	Page
	Action templ.SafeURL
	Search string
	Count  string
	Order  string // ids of the rows as they stand
	Rows   []classView
	Heads  []string
	Empty  *emptyView
}

type classView struct {
	ID              string
	URL             templ.SafeURL
	Text            string // description
	Namespace, Name string
	Infrastructure  string
	ControlPlane    string
	Workers         []string
	Variables       string
	Versions        string
	Clusters        string
	State           stateView
	Labels          []string // of the columns, for stacked rows
}

// Catalog is the list of classes.
func Catalog(p Page, in CatalogInput) Screen {
	v := newCatalog(p, in)
	// An empty order is still one: rows that a page shows have gone then.
	s := Screen{Title: p.t("views.catalog.title"), Body: catalogPage(v), Order: []string{}}
	for _, row := range v.Rows {
		s.Regions = append(s.Regions, Region{ID: row.ID, Body: classRow(row)})
		s.Order = append(s.Order, row.ID)
	}
	s.Regions = append(s.Regions, Region{ID: "count", Body: clusterCount(v.Count)})
	return s
}

func newCatalog(p Page, in CatalogInput) catalogView {
	v := catalogView{Page: p, Action: templ.SafeURL(p.URLs.Catalog()), Search: in.Search}
	for _, key := range []message.Key{
		"views.col.class", "views.col.namespace", "views.col.infrastructure", "views.clusters.cp", "views.col.workers",
		"views.col.variables", "views.col.versions", "views.nav.clusters", "views.col.state",
	} {
		v.Heads = append(v.Heads, p.t(key))
	}
	for _, c := range in.Classes {
		v.Rows = append(v.Rows, newClass(p, c, v.Heads))
	}
	ids := make([]string, 0, len(v.Rows))
	for _, row := range v.Rows {
		ids = append(ids, row.ID)
	}
	v.Order = strings.Join(ids, " ")
	v.Count = p.t("views.catalog.count", message.Num("n", len(v.Rows)))
	switch {
	case len(v.Rows) > 0:
	case in.Search != "":
		v.Empty = &emptyView{p.t("views.empty.match"), p.t("views.empty.classes.match"), templ.SafeURL(p.URLs.Catalog()), p.t("views.filter.reset")}
	default:
		v.Empty = &emptyView{p.t("views.empty.classes"), contactText(p, "views.empty.classes.what", in.Contact), templ.SafeURL(p.URLs.Me()), p.t("views.empty.rights")}
	}
	return v
}

func newClass(p Page, c catalog.Class, labels []string) classView {
	v := classView{
		ID: "class-" + c.UID, Text: c.Description,
		URL:       templ.SafeURL(p.URLs.Class(topology.Ref{Namespace: c.Namespace, Name: c.Name})),
		Namespace: c.Namespace, Name: c.Name, Infrastructure: c.Infrastructure, ControlPlane: c.ControlPlane,
		Workers: c.Workers, Variables: number(c.Variables), Versions: versionRange(c.Versions), Clusters: number(c.Clusters),
		State: classState(p, c), Labels: labels,
	}
	return v
}

// versionRange is "v1.34.2 – v1.36.0"; a single version stands alone.
func versionRange(versions []string) string {
	if len(versions) > 2 {
		return versions[0] + " – " + versions[len(versions)-1]
	}
	return strings.Join(versions, ", ")
}

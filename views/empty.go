package views

import (
	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
)

// emptyView is a list with nothing in it: why, and the next step.
type emptyView struct {
	Title, Text string
	URL         templ.SafeURL // where the next step leads; empty without one
	Link        string
}

func newEmpty(p Page, in ClustersInput) *emptyView {
	l := in.Listing
	if l.Total > 0 {
		return &emptyView{p.t("views.empty.match"), p.t("views.empty.match.what"), templ.SafeURL(p.URLs.Clusters(nil)), p.t("views.filter.reset")}
	}
	return &emptyView{p.t("views.empty.clusters"), contactText(p, "views.empty.clusters.what", in.Contact), templ.SafeURL(p.URLs.Me()), p.t("views.empty.rights")}
}

// contactText adds whom to ask to a sentence, if the configuration says so.
func contactText(p Page, key message.Key, contact string) string {
	text := p.t(key)
	if contact != "" {
		text += " " + p.t("views.contact", message.Str("contact", contact))
	}
	return text
}

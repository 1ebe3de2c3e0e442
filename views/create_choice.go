package views

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// ChoiceInput is what the choice of a class is made of.
type ChoiceInput struct {
	Classes   []catalog.Class
	MayCreate bool
	From      string // cluster to clone, namespace/name; may be empty
	Contact   string
}

type classChoice struct {
	Page
	Rows  []choiceRow
	Empty *emptyView
}

type choiceRow struct {
	URL              templ.SafeURL
	Name, Namespace  string
	Facts, Text      string
	State            stateView
	Unready, Created bool
}

// CreateChoice is the page on which one chooses a class.
func CreateChoice(p Page, in ChoiceInput) Screen {
	v := classChoice{Page: p}
	for _, c := range in.Classes {
		url := p.URLs.CreateFrom(topology.Ref{Namespace: c.Namespace, Name: c.Name})
		if in.From != "" {
			url += "?from=" + in.From
		}
		row := choiceRow{URL: templ.SafeURL(url), Name: c.Name, Namespace: c.Namespace, Facts: classFacts(p, c), Text: c.Description, State: newClass(p, c, make([]string, 9)).State}
		v.Rows = append(v.Rows, row)
	}
	switch {
	case !in.MayCreate:
		v.Rows = nil
		v.Empty = &emptyView{p.t("create.nowhere.title"), contactText(p, "create.nowhere", in.Contact), templ.SafeURL(p.URLs.Me()), p.t("views.empty.rights")}
	case len(v.Rows) == 0:
		v.Empty = &emptyView{p.t("views.empty.classes"), contactText(p, "views.empty.classes.what", in.Contact), templ.SafeURL(p.URLs.Me()), p.t("views.empty.rights")}
	}
	return Screen{Title: p.t("create.title"), Body: createChoice(v)}
}

func classFacts(p Page, c catalog.Class) string {
	return strings.Join([]string{
		c.Infrastructure, c.ControlPlane,
		p.t("create.class.workers", message.Num("n", len(c.Workers))), p.t("create.class.variables", message.Num("n", c.Variables)),
	}, " · ")
}

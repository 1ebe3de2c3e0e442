package views

import (
	"strconv"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// sickShown is how many sick machines a note names.
const sickShown = 8

// heldBackView is a health check that may not replace the machines that it
// finds sick: which ones, why not, and what to do.
type heldBackView struct {
	Title, Text string
	Since       when
	Sick        []sickView
	More        string
	Do, Command string
}

type sickView struct {
	Name, Why string
	URL       templ.SafeURL
}

func newHeldBack(p Page, c topology.Cluster) []heldBackView {
	var out []heldBackView
	for _, h := range c.HeldBack {
		v := heldBackView{Title: p.t("views.remediation.title"), Text: p.heldBackText(h), Since: clock(h.Since), Do: p.t("views.remediation.do")}
		for i, m := range h.Sick {
			if i == sickShown {
				v.More = p.t("views.pending.rest", message.Num("n", len(h.Sick)-sickShown))
				break
			}
			v.Sick = append(v.Sick, sickView{m.Name, m.Why, templ.SafeURL("#row-" + m.UID)})
		}
		if len(h.Sick) > 0 {
			v.Command = "kubectl -n " + c.Namespace + " delete machine " + h.Sick[0].Name
		}
		out = append(out, v)
	}
	return out
}

// heldBackText says of how many machines how many are unwell, and where the
// limit is.
func (p Page) heldBackText(h topology.HeldBack) string {
	key := message.Key("views.remediation.limit")
	if h.InRange {
		key = "views.remediation.range"
	}
	unwell := h.Unwell
	if unwell < 0 {
		unwell = len(h.Sick)
	}
	of := "?"
	if h.Expected >= 0 {
		of = strconv.Itoa(h.Expected)
	}
	return p.t(key, message.Str("check", h.Check), message.Num("n", unwell), message.Str("of", of), message.Str("limit", h.Limit))
}

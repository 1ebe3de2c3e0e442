package testkit

import (
	"fmt"
	"html"
	"iter"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/capstan-portal/capstan/internal/catalog"
)

// Broken is the variables of a form with one rule broken.
type Broken struct {
	State catalog.State
	What  string // which input, and how
	At    string // the input at which the fault must stand
}

// EachBroken breaks one rule at a time, wherever a form that is filled in can be
// broken.
func EachBroken(state catalog.State) iter.Seq[Broken] {
	return func(yield func(Broken) bool) {
		more := true
		for _, top := range state.Nodes {
			top.Walk(func(n *catalog.Node) {
				if !n.Set || n.Raw {
					return
				}
				for _, b := range Breaks(n.Field) {
					broken := state.Clone()
					if at := b.Apply(broken.Node(n.Name)); more && at != "" {
						more = yield(Broken{broken, n.Name + " " + b.Name, at})
					}
				}
			})
		}
	}
}

// Swap puts variables into a form that is otherwise filled in.
func Swap(filled url.Values, state catalog.State) url.Values {
	out := url.Values{}
	for name, values := range filled {
		if !strings.HasPrefix(name, state.Prefix+".") {
			out[name] = values
		}
	}
	for name, values := range state.Values() {
		out[name] = values
	}
	return out
}

// FaultAt says what a page lacks that must tell of a fault at an input: words
// stand at the input or below it, and the summary leads there, and to inputs
// that exist.
func FaultAt(body, at string) error {
	id := `id="` + html.EscapeString(at)
	if !strings.Contains(body, id+`-err"`) && !strings.Contains(body, id+".") {
		return fmt.Errorf("no fault at %s", at)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(body))
	if err != nil {
		return err
	}
	ids := map[string]bool{}
	for _, e := range doc.Find("[id]").EachIter() {
		ids[e.AttrOr("id", "")] = true
	}
	leads := false
	for _, a := range doc.Find("#problems a").EachIter() {
		to, err := url.PathUnescape(strings.TrimPrefix(a.AttrOr("href", ""), "#"))
		if err != nil || !ids[to] {
			return fmt.Errorf("the summary leads to %q, which is not there", to)
		}
		leads = leads || to == at || strings.HasPrefix(to, at+".")
	}
	if !leads {
		return fmt.Errorf("the summary says nothing of %s: %s", at, Problems(body))
	}
	return nil
}

// Problems is the text of a page's summary of faults, in one line.
func Problems(body string) string {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(doc.Find("#problems").Text()), " ")
}

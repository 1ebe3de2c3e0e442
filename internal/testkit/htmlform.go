package testkit

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// HTMLForm is a form as a browser without scripts holds it: only what the page
// offers can be typed, chosen or pressed.
type HTMLForm struct {
	Status int    // of the last answer
	Body   string // of the last answer
	Posts  int    // how often a button was pressed

	t        testing.TB
	selector string
	send     func(url.Values) (status int, body string)
	values   url.Values // what would be sent now
	controls map[string]control
	buttons  map[string]bool
}

// control is an input, textarea or select; the choices of radio buttons with
// one name are one control.
type control struct {
	kind    string // text, textarea, select, radio, checkbox, hidden
	choices []string
}

// ReadForm reads the form that selector finds in a page. send posts it.
func ReadForm(t testing.TB, selector string, status int, body string, send func(url.Values) (int, string)) *HTMLForm {
	t.Helper()
	f := &HTMLForm{t: t, selector: selector, send: send}
	f.read(status, body)
	return f
}

func (f *HTMLForm) read(status int, body string) {
	f.t.Helper()
	f.Status, f.Body = status, body
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	form := doc.Find(f.selector)
	if form.Length() != 1 {
		f.t.Fatalf("the answer %d has no form %s:\n%s", status, f.selector, doc.Find("main").Text())
	}
	f.values, f.controls, f.buttons = url.Values{}, map[string]control{}, map[string]bool{}
	for _, s := range form.Find("input[name], textarea[name], select[name]").EachIter() {
		f.take(s)
	}
	for _, s := range form.Find("button[name=do]").EachIter() {
		f.buttons[s.AttrOr("value", "")] = true
	}
}

// take reads one control as HTML's "constructing the entry list" has it.
func (f *HTMLForm) take(s *goquery.Selection) {
	name, value := s.AttrOr("name", ""), s.AttrOr("value", "")
	c := control{kind: s.AttrOr("type", "text"), choices: append(f.controls[name].choices, value)}
	_, checked := s.Attr("checked")
	switch {
	case s.Is("textarea"):
		c.kind = "textarea"
		f.values.Add(name, crlf(s.Text())) // the parser drops the first line break, as HTML has it
	case s.Is("select"):
		c = control{kind: "select"}
		for _, o := range s.Find("option").EachIter() {
			c.choices = append(c.choices, o.AttrOr("value", ""))
		}
		if chosen := s.Find("option[selected]"); chosen.Length() > 0 {
			f.values.Add(name, chosen.AttrOr("value", ""))
		} else if len(c.choices) > 0 {
			f.values.Add(name, c.choices[0])
		}
	case c.kind != "radio" && c.kind != "checkbox" || checked:
		f.values.Add(name, value)
	}
	f.controls[name] = c
}

// crlf ends lines as browsers send them.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// Has tells whether there is a control of that name.
func (f *HTMLForm) Has(name string) bool { return f.controls[name].kind != "" }

// Offers tells whether there is a button.
func (f *HTMLForm) Offers(do string) bool { return f.buttons[do] }

// Value is what the control would send.
func (f *HTMLForm) Value(name string) string { return f.values.Get(name) }

// Values is a copy of all that would be sent.
func (f *HTMLForm) Values() url.Values {
	out := url.Values{}
	for name, values := range f.values {
		out[name] = slices.Clone(values)
	}
	return out
}

// Type replaces the text of a control.
func (f *HTMLForm) Type(name, text string) {
	f.t.Helper()
	switch c := f.controls[name]; {
	case c.kind == "textarea":
		f.values.Set(name, crlf(text))
	case c.kind != "text" && c.kind != "password" && c.kind != "number":
		f.t.Fatalf("%s is no text: %+v", name, c)
	case strings.ContainsAny(text, "\r\n"):
		f.t.Fatalf("%s takes one line, %q has several", name, text)
	default:
		f.values.Set(name, text)
	}
}

// Choose picks a radio button or an entry of a select.
func (f *HTMLForm) Choose(name, value string) {
	f.t.Helper()
	if c := f.controls[name]; (c.kind != "radio" && c.kind != "select") || !slices.Contains(c.choices, value) {
		f.t.Fatalf("%s offers no %q: %+v", name, value, c)
	}
	f.values.Set(name, value)
}

// Tick sets or clears a box.
func (f *HTMLForm) Tick(name string, on bool) {
	f.t.Helper()
	c := f.controls[name]
	if c.kind != "checkbox" {
		f.t.Fatalf("%s is no box: %+v", name, c)
	}
	f.values.Del(name)
	if on {
		f.values.Set(name, c.choices[0])
	}
}

// Press presses the submit button <button name="do" value=DO> and reads the
// form of the answer.
func (f *HTMLForm) Press(do string) {
	f.t.Helper()
	if !f.buttons[do] {
		f.t.Fatalf("there is no button %q", do)
	}
	values := f.Values()
	values.Set("do", do)
	f.Post(values)
}

// Post sends values of any kind and reads the form of the answer.
func (f *HTMLForm) Post(values url.Values) {
	f.t.Helper()
	f.Posts++
	f.read(f.send(values))
}

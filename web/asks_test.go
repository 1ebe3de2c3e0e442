package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// Overrides for the control plane and for pools, only those that matter to the
// pool's class; the others on demand.
func TestOverridesOnlyThatMatter(t *testing.T) {
	t.Parallel()
	p, f := ask(t, "image "+plainText, "card "+plainText, "audit "+plainText, "net "+plainText)
	offered := func(prefix string) string {
		var names []string
		for _, name := range []string{"image", "card", "audit", "net"} {
			if f.Offers("set " + prefix + "." + name) {
				names = append(names, name)
			}
		}
		return strings.Join(names, " ")
	}
	for _, step := range []struct{ what, do, pool, controlPlane string }{
		{"a pool of class small", "", "image", "image audit"},
		{"all for the pool", "show-all 0", "image card audit net", "image audit"},
		{"all for the control plane", "show-all cp", "image card audit net", "image card audit net"},
	} {
		if step.do != "" {
			f.Press(step.do)
		}
		if pool, cp := offered("p0"), offered("c"); pool != step.pool || cp != step.controlPlane {
			t.Errorf("%s: the pool offers %q, want %q; the control plane %q, want %q", step.what, pool, step.pool, cp, step.controlPlane)
		}
	}
	f = p.htmlForm("/create/catalog/asked")
	f.Type("name", "shop")
	f.Type("version", "v1.34.2")
	f.Choose("pool0.class", "MachineDeployment/gpu")
	f.Press("preview")
	if got := offered("p0"); got != "image card" {
		t.Errorf("a pool of class gpu offers %q", got)
	}
	f.Press("set p0.card")
	f.Type("p0.card", "a100")
	f.Press("set c.audit")
	f.Type("c.audit", "full")
	plan := p.sent(f)
	if got := wrote(plan.Variables) + "|" + wrote(plan.Overrides) + "|" + wrote(plan.Pools[0].Overrides); got != `|audit="full"|card="a100"` {
		t.Errorf("what is sent: %s", got)
	}
}

// Group and order variables, with hints on nested fields too.
func TestVariablesAreGroupedAndOrdered(t *testing.T) {
	t.Parallel()
	_, f := ask(t,
		"last {type: string, x-metadata: {annotations: {order: '9', group: Network}}}",
		"plain "+plainText,
		"first {type: string, x-metadata: {annotations: {order: '1', group: Network, label: The first one}}}",
		"deep {type: object, x-metadata: {annotations: {group: Disks}}, properties: {"+
			"b: {type: string, x-metadata: {annotations: {order: '2', help: Not the first disk}}}, "+
			"a: {type: string, x-metadata: {annotations: {order: '3'}}}, "+
			"c: {type: string, x-metadata: {labels: {advanced: ''}}}}}")
	f.Press("set v.deep")
	doc := parseHTML(t, f.Body)
	var got []string
	for _, group := range doc.Find("[data-group]").EachIter() {
		line := group.Find("h2").Text() + ":"
		for _, input := range group.Find(`input[id^="v."], [id^="v."][tabindex]`).EachIter() {
			line += " " + input.AttrOr("id", "")
		}
		got = append(got, line)
	}
	want := []string{"Variables: v.plain", "Network: v.first v.last", "Disks: v.deep v.deep.b v.deep.a v.deep.c"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if !strings.Contains(f.Body, "The first one") || !strings.Contains(doc.Find(`[data-group]`).Text(), "Not the first disk") {
		t.Error("a label, or the help of a nested field, is missing")
	}
	if doc.Find(`details [id="v.deep.c"]`).Length() != 1 || doc.Find(`details [id="v.deep.a"]`).Length() != 0 {
		t.Error("the advanced field alone is folded")
	}
}

func parseHTML(t *testing.T, body string) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Another class: values that fit stay, those that don't are listed with the
// reason and offered; nothing of them is sent, nothing is lost.
func TestValuesOfOldClassAreOffered(t *testing.T) {
	t.Parallel()
	p, f := ask(t, "image "+plainText, "size {type: integer}", "gone "+plainText, "net {type: object, properties: {mtu: {type: integer}, old: {type: string}}}")
	other := classOf(t, "image "+plainText, "size {type: object, properties: {cores: {type: integer}}}", "net {type: object, properties: {mtu: {type: integer}}}")
	other.Name, other.UID, other.Revision = "other", "o1", "o1/1"
	p.fleet.do(func() {
		p.fleet.classes = append(p.fleet.classes, other.Class)
		p.fleet.blueprints[topology.Ref{Namespace: "catalog", Name: "other"}] = other
	})
	f.Press("preview") // now the other class is offered
	f.Type("v.image", "ubuntu")
	f.Type("v.size", "3")
	f.Type("v.gone", "precious")
	f.Press("set v.net")
	f.Type("v.net.mtu", "1400")
	f.Type("v.net.old", "gem")
	f.Choose("class", "catalog/other")
	f.Press("class")
	aside := strings.Join(strings.Fields(parseHTML(t, f.Body).Find(`[aria-labelledby="h-aside"]`).Text()), " ")
	for _, want := range []string{"gone The class has no such variable.precious", "size It is of another type, or none of the choices.3", "net.old The variable has no such field.gem"} {
		if !strings.Contains(aside, want) {
			t.Errorf("%q is not listed in %q", want, aside)
		}
	}
	f = p.formAt("/create/catalog/other", f)
	if got := wrote(p.sent(f).Variables); got != `image="ubuntu" net={"mtu":1400}` {
		t.Errorf("what is sent: %s", got)
	}
	f.Press("take v.~aside." + asideIndex(t, f, "size"))
	if strings.TrimSpace(f.Value("v.size.~yaml")) != "3" {
		t.Errorf("the value that was offered became %q", f.Value("v.size.~yaml"))
	}
	if !strings.Contains(f.Body, "precious") || !strings.Contains(f.Body, "gem") {
		t.Error("taking one value lost the others")
	}
}

// asideIndex finds the button about a value that is aside.
func asideIndex(t *testing.T, f *testkit.HTMLForm, path string) string {
	t.Helper()
	for _, code := range parseHTML(t, f.Body).Find(`[aria-labelledby="h-aside"] code`).EachIter() {
		if code.Text() == path {
			do := code.Closest("div").Find("button").First().AttrOr("value", "")
			return do[strings.LastIndex(do, ".")+1:]
		}
	}
	t.Fatalf("%s is not aside", path)
	return ""
}

// formAt goes on with an answer's form at another address, where it now posts.
func (p *portal) formAt(path string, f *testkit.HTMLForm) *testkit.HTMLForm {
	p.t.Helper()
	if action := parseHTML(p.t, f.Body).Find("#create").AttrOr("action", ""); action != path {
		p.t.Fatalf("the form posts to %s, want %s", action, path)
	}
	return testkit.ReadForm(p.t, "#create", f.Status, f.Body, func(v url.Values) (int, string) {
		a := p.post(path, v)
		return a.status, a.body
	})
}

// Entries of a map have the keys that were typed, and no values that nobody
// typed.
func TestMapKeysAreTypedNotInvented(t *testing.T) {
	t.Parallel()
	p, f := ask(t, withMaps, "ports {type: object, additionalProperties: {type: object, properties: {port: {type: integer, default: 80}}}}")
	f.Press("add v.labels")
	if key, value := f.Value("v.labels.~r0.~key"), f.Value("v.labels.~r0"); key != "" || value != "" {
		t.Fatalf("a new entry is called %q and holds %q", key, value)
	}
	f.Press("preview")
	if err := testkit.FaultAt(f.Body, "v.labels.~r0.~key"); f.Status != http.StatusUnprocessableEntity || err != nil {
		t.Errorf("an entry without a key: %d, %v", f.Status, err)
	}
	f.Type("v.labels.~r0.~key", "a.b/c")
	f.Type("v.labels.~r0", "x")
	f.Press("add v.labels")
	f.Type("v.labels.~r1.~key", "a.b/c")
	f.Press("preview")
	if err := testkit.FaultAt(f.Body, "v.labels.~r1.~key"); f.Status != http.StatusUnprocessableEntity || err != nil {
		t.Errorf("a key twice: %d, %v", f.Status, err)
	}
	f.Type("v.labels.~r1.~key", "empty")
	f.Press("add v.ports")
	f.Type("v.ports.~r0.~key", "http")
	if got := wrote(p.sent(f).Variables); got != `labels={"a.b/c":"x","empty":""} ports={"http":{}}` {
		t.Errorf("what is sent: %s", got)
	}
}

// Nothing, an empty value and the default are three things, as is seen and sent.
func TestEmptyAbsentAndDefaultDiffer(t *testing.T) {
	t.Parallel()
	variables := []string{
		"text {type: string, default: hello}", "list {type: array, default: [a], items: {type: string}}",
		"object {type: object, default: {a: 1}, properties: {a: {type: integer}}}", "flag {type: boolean, default: true}",
		"note " + plainText, "secret {type: string, format: password}",
	}
	for name, tc := range map[string]struct {
		do   func(f *testkit.HTMLForm)
		want string
	}{
		"untouched": {func(*testkit.HTMLForm) {}, ``},
		"empty": {func(f *testkit.HTMLForm) {
			f.Press("set v.text")
			f.Type("v.text", "")
			f.Press("set v.list")
			f.Press("remove v.list.~i0")
			f.Press("set v.object")
			f.Type("v.object.a", "")
			f.Press("set v.flag")
			f.Choose("v.flag", "false")
			f.Tick("v.note.~set", true)
			f.Tick("v.secret.~set", true)
		}, `text="" list=[] object={} flag=false note="" secret=""`},
		"the default, written out": {func(f *testkit.HTMLForm) {
			f.Press("set v.text")
			f.Press("set v.list")
			f.Press("set v.object")
			f.Press("set v.flag")
		}, `text="hello" list=["a"] object={"a":1} flag=true`},
		"set and unset again": {func(f *testkit.HTMLForm) {
			f.Press("set v.list")
			f.Press("unset v.list")
			f.Press("set v.object")
			f.Press("unset v.object")
		}, ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, f := ask(t, variables...)
			tc.do(f)
			if got := wrote(p.sent(f).Variables); got != tc.want {
				t.Errorf("what is sent: %s\nwant %s", got, tc.want)
			}
		})
	}
}

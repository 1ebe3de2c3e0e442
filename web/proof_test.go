package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// proof is one class put to the proof over HTTP: its page names everything,
// valid values go through the form unchanged, and each broken rule is told at
// its input.
type proof struct {
	*portal
	path    string
	b       catalog.Blueprint
	checker *catalog.Checker
	counts  proofCounts
}

// proofCounts is how much was tried.
type proofCounts struct{ classes, variables, values, posts, faults, withoutValue int }

// newProof offers one class in a portal of its own.
func newProof(t *testing.T, cc *clusterv1.ClusterClass) *proof {
	t.Helper()
	cc.Namespace, cc.Name, cc.UID, cc.ResourceVersion = "catalog", "proof", "proof", "1"
	p := &proof{portal: startCreate(t), path: "/create/catalog/proof", b: catalog.NewBlueprint(cc)}
	p.checker = catalog.NewChecker(p.b.Schema)
	p.fleet.do(func() {
		p.fleet.blueprints[topology.Ref{Namespace: "catalog", Name: "proof"}] = p.b
	})
	p.counts.classes, p.counts.variables = 1, len(p.b.Schema.Variables)
	return p
}

func (p *proof) send(values url.Values) (int, string) {
	a := p.post(p.path, values, fragmentHeader, "create")
	return a.status, a.body
}

// form is the empty form with the settings that are no variables.
func (p *proof) form() *testkit.HTMLForm {
	p.t.Helper()
	a := p.get(p.path)
	f := testkit.ReadForm(p.t, "#create", a.status, a.body, p.send)
	f.Type("name", "shop")
	if len(p.b.Versions) == 0 {
		f.Type("version", "v1.34.2")
	}
	return f
}

// page: the class's page names every variable, worker class and template.
func (p *proof) page() {
	p.t.Helper()
	a := p.get("/catalog/catalog/proof")
	if a.status != http.StatusOK {
		p.t.Fatalf("the class's page answers %d", a.status)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(a.body))
	if err != nil {
		p.t.Fatal(err)
	}
	ids := idsOf(doc.Selection)
	for _, v := range p.b.Schema.Variables {
		if !ids["var-"+v.Name] {
			p.t.Errorf("the class's page doesn't show the variable %s", v.Name)
		}
	}
	parts := doc.Find("#class-parts").Text()
	for _, w := range p.b.Composition.Workers {
		for _, target := range w.Templates {
			if !strings.Contains(parts, target.Name) || !strings.Contains(parts, w.Class) {
				p.t.Errorf("the class's page doesn't show %s of %s", target.Name, w.Class)
			}
		}
	}
	form := p.get(p.path)
	for _, v := range p.b.Schema.Variables {
		if !strings.Contains(form.body, `id="v.`+html.EscapeString(catalog.Escape(v.Name))) {
			p.t.Errorf("the form doesn't show the variable %s", v.Name)
		}
	}
}

func idsOf(s *goquery.Selection) map[string]bool {
	ids := map[string]bool{}
	for _, e := range s.Find("[id]").EachIter() {
		ids[e.AttrOr("id", "")] = true
	}
	return ids
}

// values fills the form with the i-th valid value of every variable and tells
// what arrives; nil where a required variable has none.
func (p *proof) values(i int) *testkit.HTMLForm {
	p.t.Helper()
	f := p.form()
	want := map[string]string{}
	for _, v := range p.b.Schema.Variables {
		value, ok := testkit.ValidValue(p.t.Context(), p.b.Schema, p.checker, v, i)
		if !ok {
			p.counts.withoutValue++
			p.t.Logf("sample %d: no valid value of %s was found", i, v.Name)
			continue
		}
		if i%3 == 1 && (!v.Required || v.Default != nil) {
			continue // as little as can be
		}
		p.counts.values++
		f.Fill(v.Field, "v."+catalog.Escape(v.Name), value)
		want[v.Name] = jsonText(p.t, value)
	}
	f.Press("preview")
	p.counts.posts += f.Posts
	if f.Status != http.StatusOK {
		p.t.Errorf("sample %d: %d %s", i, f.Status, testkit.Problems(f.Body))
		return nil
	}
	p.arrived(i, want)
	return f
}

// arrived compares with what the fleet was asked to create.
func (p *proof) arrived(i int, want map[string]string) {
	p.t.Helper()
	made := p.fleet.created()
	sent := made[len(made)-1].plan.Variables
	got := map[string]string{}
	for _, v := range sent {
		raw, err := catalog.Canonical(v.Value.Raw)
		if err != nil {
			p.t.Fatal(err)
		}
		got[v.Name] = string(raw)
	}
	for name, text := range want {
		if got[name] != text {
			p.t.Errorf("sample %d: %s was filled in as\n%s, what arrives is\n%s", i, name, text, got[name])
		}
		delete(got, name)
	}
	for name, text := range got {
		p.t.Errorf("sample %d: %s was not filled in, and %s arrives", i, name, text)
	}
}

func jsonText(t *testing.T, value any) string {
	t.Helper()
	raw, err := json.Marshal(value)
	if err == nil {
		raw, err = catalog.Canonical(raw)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// faults breaks one rule at a time in a form that is filled in: the answer is a
// refusal, and tells of it at the input.
func (p *proof) faults(f *testkit.HTMLForm) {
	p.t.Helper()
	filled := f.Values()
	for broken := range testkit.EachBroken(catalog.Parse(p.b.Schema, "v", filled)) {
		p.counts.faults++
		values := testkit.Swap(filled, broken.State)
		values.Set("do", "preview")
		status, body := p.send(values)
		if status != http.StatusUnprocessableEntity {
			p.t.Errorf("%s: the answer is %d", broken.What, status)
		} else if err := testkit.FaultAt(body, broken.At); err != nil {
			p.t.Errorf("%s: %v", broken.What, err)
		}
	}
}

// run is the whole proof with so many samples.
func (p *proof) run(samples int) {
	p.t.Helper()
	p.page()
	for i := range samples {
		if f := p.values(i); f != nil && i == 0 {
			p.faults(f)
		}
	}
}

// Every construct that a schema can have goes through the form over HTTP.
func TestEveryConstructOverHTTP(t *testing.T) {
	t.Parallel()
	for _, cc := range testkit.ReadClasses(t, filepath.Join("..", "internal", "catalog", "testdata", "every.yaml")) {
		p := newProof(t, cc)
		p.run(4)
		t.Log(p.counts.String())
		if p.counts.withoutValue > 0 {
			t.Error("some variables have no valid value")
		}
	}
}

func (a proofCounts) String() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d classes, %d variables, %d values in %d posts, %d faults, %d without a valid value",
		a.classes, a.variables, a.values, a.posts, a.faults, a.withoutValue)
	return b.String()
}

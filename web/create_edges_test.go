package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/topology"
)

func TestCloneNeedsAClass(t *testing.T) {
	p := startCreate(t)
	p.fleet.do(func() {
		c := &clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: "team-b", Name: "bare"}}
		p.fleet.specimens = map[topology.Ref]*clusterv1.Cluster{{Namespace: "team-b", Name: "bare"}: c}
	})
	a := p.get(createPath + "?from=team-b/bare")
	if strings.Contains(a.find(t, "h1").Text(), "typed") {
		t.Error("nothing was typed")
	}
	if a.status != http.StatusUnprocessableEntity || !strings.Contains(a.find(t, "main").Text(), "team-b/bare is not built from a class") {
		t.Errorf("got %d: %s", a.status, a.find(t, "main").Text())
	}
}

// What was said about a manifest is said until the cluster is created.
func TestConversionStaysSaid(t *testing.T) {
	p := startCreate(t)
	older := strings.NewReplacer("v1beta2", "v1beta1", "classRef: {name: rich, namespace: catalog}", "class: rich\n    classNamespace: catalog",
		"healthCheck: {enabled: false}", "metadata: {}", "minReadySeconds", "minReadySeconds").Replace(pasted)
	a := p.post("/create/manifest", url.Values{"manifest": {older}})
	for range 2 {
		if a.status != http.StatusOK || !strings.Contains(a.find(t, "#create").Text(), "written for v1beta1") {
			t.Fatalf("got %d: %s", a.status, a.find(t, "main").Text())
		}
		a = p.post(createPath, with(formValues(t, a), "do", "check"), fragmentHeader, "create")
	}
}

// The button for several lines is for those without scripts; with them a pasted
// text makes room by itself.
func TestSeveralLinesWithoutScripts(t *testing.T) {
	p := startCreate(t)
	button := p.get(createPath).find(t, `button[value="lines v.region"]`)
	if !button.HasClass("[.js_&]:hidden") {
		t.Error("there are two ways for one thing")
	}
}

// Whoever lost the session while creating sees what they typed under the labels
// of the inputs; what the form carries for itself is kept without a word.
func TestTypedIsShownUnderItsLabel(t *testing.T) {
	p := startCreate(t)
	v := with(formValues(t, p.get(createPath)), "name", "shop", "v.region", "eu", "v.peers.~set", "1", "v.peers.~i0.name", "west", "v.tags.~r0.~key", "tier",
		"labels", strings.Repeat("a=b\n", 2000), "do", "create")
	p.setCookie("session", "")
	a := p.post(createPath, v)
	if a.status != http.StatusUnauthorized {
		t.Fatalf("got %d", a.status)
	}
	said := strings.Join(strings.Fields(a.find(t, "main dl").Text()), " ")
	for _, want := range []string{"Nameshop", "regioneu", "peers[0].namewest", "md-0, Number1", "tags[0], Nametier"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
	for _, own := range []string{"generation", "~", "pool0"} {
		if strings.Contains(said, own) {
			t.Errorf("%q is in %q", own, said)
		}
	}
	kept := url.Values{}
	for _, s := range a.find(t, "main form input[type=hidden]").EachIter() {
		kept.Add(s.AttrOr("name", ""), s.AttrOr("value", ""))
	}
	for name, values := range v {
		for _, value := range values {
			if value != "" && kept.Get(name) != value && name != topology.InputPool {
				t.Errorf("%s is lost", name)
			}
		}
	}
}

// A class that goes while another is chosen costs nobody what they typed.
func TestChangeToAClassThatIsGone(t *testing.T) {
	p := startCreate(t)
	v := with(formValues(t, p.get(createPath)), "name", "shop", "class", "catalog/gone", "do", "class")
	a := p.post(createPath, v)
	if a.status != http.StatusNotFound || a.find(t, "#name").AttrOr("value", "") != "shop" {
		t.Fatalf("got %d: %s", a.status, a.find(t, "main").Text())
	}
	row := a.find(t, "#problems li a")
	if row.AttrOr("href", "") != "#class" || !strings.Contains(row.Text(), "There is no class catalog/gone") || a.find(t, "#class").Length() != 1 {
		t.Errorf("said %q", a.find(t, "#problems").Text())
	}
}

// Whose value a fault is about is said where a variable stands several times.
func TestFaultOfAnOverrideSaysWhose(t *testing.T) {
	p := startCreate(t)
	a := p.post(createPath, with(formValues(t, p.get(createPath)), "name", "shop", "v.region", "eu",
		"p0.peers.~set", "1", "p0.peers.~i0.name", "A", "c.peers.~set", "1", "c.peers.~i0.name", "B", "do", "create"))
	said := strings.Join(strings.Fields(a.find(t, "#problems").Text()), " ")
	for _, want := range []string{"md-0, peers[0].name: Must match", "Control plane, peers[0].name: Must match"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
}

// Whoever may create nowhere is told before they paste anything.
func TestPasteNeedsTheRightToCreate(t *testing.T) {
	p := startCreate(t)
	p.fleet.do(func() { p.fleet.creatable = nil })
	if a := p.get("/create/manifest"); a.status != http.StatusForbidden || a.find(t, "textarea").Length() != 0 {
		t.Errorf("got %d", a.status)
	}
}

// What was typed into the form outlives whatever keeps it from being shown again.
func TestTypedOutlivesFailures(t *testing.T) {
	p := startCreate(t)
	v := with(formValues(t, p.get(createPath)), "name", "shop", "v.region", "eu", "do", "check")
	for name, c := range map[string]struct {
		change func()
		status int
	}{
		"the class is gone":       {func() { p.fleet.blueprints = nil }, http.StatusNotFound},
		"no right to create left": {func() { p.fleet.creatable = nil }, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			before, creatable := p.fleet.blueprints, p.fleet.creatable
			p.fleet.do(c.change)
			a := p.post(createPath, v)
			p.fleet.do(func() { p.fleet.blueprints, p.fleet.creatable = before, creatable })
			again := a.find(t, "main form")
			if a.status != c.status || again.AttrOr("action", "") != createPath || again.Find(`input[name="v.region"]`).AttrOr("value", "") != "eu" {
				t.Fatalf("got %d: %s", a.status, a.find(t, "main").Text())
			}
			if said := a.find(t, "main").Text(); !strings.Contains(said, "What you typed is kept here.") || strings.Contains(said, "Sign in") {
				t.Errorf("said %q", said)
			}
		})
	}
}

// A button that can't do its work says why once.
func TestFaultOfAButtonIsSaidOnce(t *testing.T) {
	p := startCreate(t)
	a := p.post(createPath, with(formValues(t, p.get(createPath)), "v.peers.~yaml", "- [", "do", "fields v.peers"))
	if rows := a.find(t, "#problems li"); a.status != http.StatusOK || rows.Length() != 1 {
		t.Errorf("got %d: %s", a.status, a.find(t, "#problems").Text())
	}
}

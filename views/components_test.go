package views

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/static"
)

// everyStory runs check on every story in both languages.
func everyStory(t *testing.T, check func(t *testing.T, s Story, html string, doc *goquery.Document)) {
	t.Helper()
	for _, lang := range []string{message.English, message.Chinese} {
		for _, s := range Stories(storyPage(t, lang, "light")) {
			t.Run(lang+"/"+s.Name, func(t *testing.T) {
				html := render(t, s)
				doc, err := goquery.NewDocumentFromReader(strings.NewReader(html))
				if err != nil {
					t.Fatal(err)
				}
				check(t, s, html, doc)
			})
		}
	}
}

func TestNothingInline(t *testing.T) {
	everyStory(t, func(t *testing.T, _ Story, html string, doc *goquery.Document) {
		if strings.Contains(html, "<em>") {
			t.Error("a name stands in the page unescaped")
		}
		doc.Find("*").Each(func(_ int, s *goquery.Selection) {
			for _, a := range s.Nodes[0].Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("<%s %s=%q> breaks the content policy", s.Nodes[0].Data, a.Key, a.Val)
				}
			}
		})
		doc.Find("script, style").Each(func(_ int, s *goquery.Selection) {
			if s.Text() != "" || s.Nodes[0].Data == "style" {
				t.Errorf("inline <%s>", s.Nodes[0].Data)
			}
		})
	})
}

func TestEverythingIsTranslated(t *testing.T) {
	key := regexp.MustCompile(`\b(views|state|why|locked|step|topology|web|fleet)\.[a-z][a-z.-]+\b`)
	everyStory(t, func(t *testing.T, _ Story, html string, doc *goquery.Document) {
		doc.Find("code, .msg").Remove()
		text := strings.ReplaceAll(doc.Text(), "spec.topology.controlPlane.replicas", "")
		if found := key.FindString(text); found != "" {
			t.Errorf("the page shows the key %s", found)
		}
		if strings.Contains(html, "{{") {
			t.Error("the page shows a placeholder")
		}
	})
}

func TestIDsAndNames(t *testing.T) {
	everyStory(t, func(t *testing.T, s Story, _ string, doc *goquery.Document) {
		seen := map[string]bool{}
		doc.Find("[id]").Each(func(_ int, e *goquery.Selection) {
			id, _ := e.Attr("id")
			if seen[id] {
				t.Errorf("the id %q stands twice", id)
			}
			seen[id] = true
		})
		for _, r := range s.Screen.Regions {
			if !seen[r.ID] {
				t.Errorf("the region %q is not in the page", r.ID)
			}
		}
		if n := doc.Find("h1").Length(); n != 1 {
			t.Errorf("%d first headings", n)
		}
		doc.Find("button, a").Each(func(_ int, e *goquery.Selection) {
			if label, _ := e.Attr("aria-label"); strings.TrimSpace(e.Text())+label == "" {
				html, _ := goquery.OuterHtml(e)
				t.Errorf("no name: %s", html)
			}
		})
		doc.Find("table").Each(func(_ int, e *goquery.Selection) {
			if e.Find("caption").Length() != 1 {
				t.Error("a table without a caption")
			}
		})
	})
}

// TestRegionsAreThePage holds what makes page and socket agree: a region alone
// is the same bytes as in the page.
func TestRegionsAreThePage(t *testing.T) {
	everyStory(t, func(t *testing.T, s Story, html string, _ *goquery.Document) {
		for _, r := range s.Screen.Regions {
			var b strings.Builder
			if err := r.Body.Render(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(html, b.String()) {
				t.Errorf("the region %q differs from the page", r.ID)
			}
			root := regexp.MustCompile(`^\s*<[a-z]+\s+id="([^"]+)"\s+data-region`).FindStringSubmatch(b.String())
			if root == nil || root[1] != r.ID && root[1] != escaped(r.ID) {
				t.Errorf("the region %q has another root: %.80s", r.ID, b.String())
			}
		}
	})
}

func escaped(s string) string {
	return strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(s)
}

func TestGaugeGeometry(t *testing.T) {
	pool := func(wish, limit int, c topology.Counts) topology.Pool {
		return topology.Pool{Mode: topology.ModeFixed, Wish: &wish, Limit: limit, Counts: c}
	}
	for name, c := range map[string]struct {
		pool                       topology.Pool
		ready, start, delX, del, x string
	}{
		"scaling up":      {pool(8, 12, topology.Counts{Desired: 8, Total: 8, Ready: 5}), "41.667%", "25%", "66.667%", "0%", "66.667%"},
		"past the wish":   {pool(2, 12, topology.Counts{Desired: 2, Total: 2, Ready: 2, Deleting: 4}), "16.667%", "0%", "16.667%", "33.333%", "16.667%"},
		"nothing":         {pool(0, 4, topology.Counts{}), "0%", "0%", "0%", "0%", "0%"},
		"beyond the end":  {pool(3, 2, topology.Counts{Desired: 3, Total: 4, Ready: 4, Deleting: 1}), "80%", "0%", "80%", "20%", "60%"},
		"unknown numbers": {pool(3, 10, topology.Counts{Desired: 3, Total: -1, Ready: -1, Deleting: -1}), "0%", "0%", "0%", "0%", "30%"},
	} {
		t.Run(name, func(t *testing.T) {
			v := newGauge(c.pool, nil)
			got := []string{v.Ready, v.Start, v.DelX, v.Del, v.Wish.X}
			if want := []string{c.ready, c.start, c.delX, c.del, c.x}; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("ready, starting, deleting at, deleting, wish: got %v, want %v", got, want)
			}
		})
	}
}

// A number beyond the end of the scale is not shown as if it were the end.
func TestMarkBeyondTheScale(t *testing.T) {
	wish, typed := 3, 40
	v := newGauge(topology.Pool{Mode: topology.ModeFixed, Wish: &wish, Limit: 12}, &typed)
	if v.Wish.Text != "12 … 40" || v.Wish.X != "100%" {
		t.Errorf("got %+v", v.Wish)
	}
}

func TestTicks(t *testing.T) {
	for end, want := range map[int]string{
		1: "0 1", 4: "0 1 2 3 4", 12: "0 2 4 6 8 10 12", 16: "0 2 4 6 8 10 12 14 16", 20: "0 5 10 15 20",
		240: "0 50 100 150 200 240", 400: "0 50 100 150 200 250 300 350 400", 1000: "0 200 400 600 800 1000",
	} {
		var got []string
		for _, tick := range newTicks(end) {
			if tick.Text != "" {
				got = append(got, tick.Text)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("to %d: got %v, want %s", end, got, want)
		}
	}
}

func TestBar(t *testing.T) {
	p := storyPage(t, "en", "")
	for name, c := range map[string]struct {
		counts   topology.Counts
		rest     string
		complete bool
	}{
		"complete":  {full(3), "", true},
		"to come":   {topology.Counts{Desired: 15, Total: 15, Ready: 12, Available: 12}, "+3", false},
		"to go":     {topology.Counts{Desired: 2, Total: 2, Ready: 2, Available: 2, Deleting: 4}, "−4", false},
		"both":      {topology.Counts{Desired: 10, Total: 10, Ready: 9, Available: 9, Deleting: 1}, "+1 −1", false},
		"no wish":   {topology.Counts{Desired: -1, Total: 4, Ready: 4, Available: 4}, "", false},
		"zero of 0": {topology.Counts{}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			v := newBar(p, c.counts)
			if v.Rest != c.rest || v.Complete != c.complete {
				t.Errorf("rest %q complete %v, want %q %v", v.Rest, v.Complete, c.rest, c.complete)
			}
		})
	}
	if newBar(p, topology.Counts{Desired: 3, Available: -1}).Known {
		t.Error("what is unknown is shown as a number")
	}
}

func TestParseList(t *testing.T) {
	items, ok := parseList("* Machine a:\n  * NodeHealthy: Node is not ready:\n    cni missing\n  * Ready: no\n* Machine b: fine\n")
	if !ok || len(items) != 2 || len(items[0].Below) != 2 {
		t.Fatalf("got %+v, %v", items, ok)
	}
	if got := items[0].Below[0].Text; got != "NodeHealthy: Node is not ready: cni missing" {
		t.Errorf("a line without a mark goes on with the point before: got %q", got)
	}
	for _, text := range []string{"", "plain", "plain\n* point", "* ", "*bold*"} {
		if _, ok := parseList(text); ok {
			t.Errorf("%q is no list", text)
		}
	}
}

func FuzzParseList(f *testing.F) {
	f.Add("* a\n    * b\n  * c\nd")
	f.Add("  * a\n* b")
	f.Fuzz(func(t *testing.T, text string) {
		items, ok := parseList(text)
		if ok && len(items) == 0 {
			t.Errorf("%q: a list without points", text)
		}
	})
}

func TestConditionTones(t *testing.T) {
	p := storyPage(t, "en", "")
	v := newConditions(p, storyConditions(p.Now.Add(0).Add))
	var order []string
	for _, c := range v.Watch {
		order = append(order, c.Type+":"+c.Icon)
	}
	if got, want := strings.Join(order, " "), "ControlPlaneAvailable:fail WorkerMachinesReady:stall ScalingUp:up"; got != want {
		t.Errorf("trouble first: got %s, want %s", got, want)
	}
	if len(v.Others) != 3 {
		t.Errorf("%d conditions are as they should be, want 3", len(v.Others))
	}
}

func TestOnlyTheNumberFieldIsSubmitted(t *testing.T) {
	everyStory(t, func(t *testing.T, _ Story, _ string, doc *goquery.Document) {
		doc.Find("input[type=range]").Each(func(_ int, e *goquery.Selection) {
			if name, named := e.Attr("name"); named {
				t.Errorf("the range has the name %q", name)
			}
			if text, _ := e.Attr("aria-valuetext"); text == "" {
				t.Error("the range doesn't say its value")
			}
		})
	})
}

func TestUndoIsForItsAuthor(t *testing.T) {
	p := storyPage(t, "en", "")
	c := storyCluster(p.Now)
	for name, x := range map[string]struct {
		change func(*Page, *topology.Pool)
		want   bool
	}{
		"mine":          {func(*Page, *topology.Pool) {}, true},
		"with a prefix": {func(_ *Page, pool *topology.Pool) { pool.Progress.Who = "oidc:team-a-dev" }, true},
		"another's":     {func(p *Page, _ *topology.Pool) { p.User = "dev" }, false},
		"too old":       {func(p *Page, _ *topology.Pool) { p.Now = p.Now.Add(undoTime) }, false},
		"changed again": {func(_ *Page, pool *topology.Pool) { pool.Wish = num(9) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			page, pool := p, storyCluster(p.Now).Pools[0]
			x.change(&page, &pool)
			if got := newUndo(page, c, pool) != nil; got != x.want {
				t.Errorf("undo offered: %v, want %v", got, x.want)
			}
		})
	}
}

func TestAssetsAreSmall(t *testing.T) {
	const budget = 60_000
	if n := static.Size(".css") + static.Size(".js"); n > budget || n < 1000 {
		t.Errorf("styles and scripts are %d bytes compressed, want at most %d", n, budget)
	}
}

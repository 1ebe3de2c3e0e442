package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// A person's change that ended is told on every live page but the cluster's
// own, with the way there, and no more once it was put away.
func TestNotices(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	began := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	outcome := topology.Outcome{Ref: topology.Ref{Namespace: "team-a", Name: "one"}, UID: "uid-one", Pool: "md-0",
		Kind: topology.PoolMachineDeployment, From: 3, To: 8, Began: began}
	stuck := outcome
	stuck.Ref.Name, stuck.UID, stuck.Stalled = "two", "uid-two", message.New("why.paused")
	p.fleet.do(func() { p.fleet.outcomes = []topology.Outcome{outcome, stuck} })
	for path, want := range map[string]int{"/": 2, "/clusters/team-a/one": 1, "/clusters/team-a/two": 1} {
		if got := p.get(path).find(t, "#notices [data-dismiss]").Length(); got != want {
			t.Errorf("%s: %d notices, want %d", path, got, want)
		}
	}
	page := p.get("/")
	if href, _ := page.find(t, "#notices a").First().Attr("href"); href != "/clusters/team-a/one" || !strings.Contains(page.find(t, "#notices").Text(), "md-0 3 → 8") {
		t.Errorf("leads to %q: %s", href, page.find(t, "#notices").Text())
	}
	id, _ := page.find(t, "#notices input[name=id]").First().Attr("value")
	if a := p.post("/notices", url.Values{"id": {id}, "return": {"/catalog"}}); a.status != http.StatusOK || a.url.Path != "/catalog" {
		t.Fatalf("dismissing: %d", a.status)
	}
	if got := p.get("/").find(t, "#notices"); got.Find("[data-dismiss]").Length() != 1 || !strings.Contains(got.Text(), "team-a/two") {
		t.Errorf("after dismissing the first: %s", got.Text())
	}
	var many []topology.Outcome
	for i := range 9 {
		outcome.Began = began.Add(time.Duration(i) * time.Second)
		many = append(many, outcome)
	}
	p.fleet.do(func() { p.fleet.outcomes = many })
	if got := p.get("/").find(t, "#notices [data-dismiss]").Length(); got != 3 {
		t.Errorf("%d notices at once, want 3", got)
	}
}

// A page that could not be answered tries again by itself.
func TestUnavailablePagesTryAgain(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	p.fleet.do(func() { p.fleet.broken = fail.New(fail.Unavailable, message.New("fleet.starting")) })
	if a := p.get("/?ns=team-a"); a.status != http.StatusServiceUnavailable || a.header.Get("Refresh") != "10; url=/?ns=team-a" {
		t.Errorf("%d, Refresh %q", a.status, a.header.Get("Refresh"))
	}
	p.fleet.do(func() { p.fleet.broken = nil })
	if a := p.get("/?ns=team-a"); a.header.Get("Refresh") != "" {
		t.Error("a page that was answered is loaded again")
	}
}

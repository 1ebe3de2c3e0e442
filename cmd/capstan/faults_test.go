//go:build sandbox

package main

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// behind gives the settings of a portal that browsers reach at addr only.
func behind(addr string) string {
	_, port, _ := net.SplitHostPort(addr)
	return "CAPSTAN_PUBLIC_URL=http://localhost:" + port
}

// keep marks the document, sameDocument tells whether it is still the one.
func (tb *tab) keep() { tb.t.Helper(); tb.eval(`window.sameDocument = true`) }

func (tb *tab) sameDocument() {
	tb.t.Helper()
	if tb.eval(`window.sameDocument === true`) != "true" {
		tb.t.Error("the page was reloaded")
	}
}

// seesWish waits until a pool's number field and slider stand at n.
func (tb *tab) seesWish(n string) {
	tb.t.Helper()
	for _, input := range []string{number, md0 + " input[type=range]"} {
		tb.must(tb.expect.Locator(tb.Locator(input)).ToHaveValue(n))
	}
}

// live waits until the page says that it is live, or another state of its line.
func (tb *tab) line(state string) {
	tb.t.Helper()
	tb.must(tb.expect.Locator(tb.Locator("#conn")).ToHaveAttribute("data-state", state))
}

// A line that breaks is said to be broken, with the time of what the page
// shows; when it is back the page has what happened meanwhile: a new number, a
// pool that went.
func TestLineCutAndRestored(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("line", "md-0=1", "md-1=1")
	p, proxy := portalBehindProxy(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/line", "team-a-dev")
	list := openTab(t, testkit.Look{})
	list.signIn(p.URL+"/?ns="+w.Namespace, "team-a-dev")
	list.seesText("table", "line")
	for _, open := range []*tab{tb, list} {
		open.line("live")
		open.keep()
	}
	proxy.Cut()
	tb.seesText("#conn", "Reconnecting, data from ")
	if word, _ := tb.Locator("#conn .conn-word").TextContent(); !hasClock(word) {
		t.Errorf("no time in %q", word)
	}
	list.line("recon")
	w.SetReplicas("line", "md-0", 4, "kubectl-edit")
	w.DropPool("line", "md-1")
	w.Paused("newcomer", "md-0=1")
	// Past 15 s without a line the page warns and locks what would act on old numbers.
	tb.must(tb.expect.Locator(tb.Locator("#stale")).ToBeVisible())
	tb.must(tb.expect.Locator(tb.Locator(md0 + " .sl[inert]")).ToHaveCount(1))
	proxy.Restore()
	tb.seesWish("4")
	tb.line("live")
	tb.must(tb.expect.Locator(tb.Locator("#stale")).ToBeHidden())
	tb.must(tb.expect.Locator(tb.Locator(md0 + " .sl[inert]")).ToHaveCount(0))
	tb.must(tb.expect.Locator(tb.Locator("#pool-machine-deployment-md-1")).ToHaveClass(containing("is-gone")))
	tb.sameDocument()
	list.seesText("[data-new]", "1 new")
	list.sameDocument()
	w.Delete("Cluster", "newcomer")
	list.must(list.expect.Locator(list.Locator("[data-new]")).ToBeHidden())
}

// A row that goes while the line is down is dimmed when it is back, the last
// one of the list too.
func TestRowGoesWhileTheLineIsDown(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("leaver", "md-0=1")
	p, proxy := portalBehindProxy(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/?ns="+w.Namespace, "team-a-dev")
	tb.line("live")
	proxy.Cut()
	tb.line("recon")
	w.Delete("Cluster", "leaver")
	proxy.Restore()
	tb.must(tb.expect.Locator(tb.Locator(`tr:has-text("leaver")`)).ToHaveClass(containing("is-gone")))
}

// A half-open line, where nothing comes and nobody tells, is noticed within
// 45 s and replaced.
func TestLineHalfOpen(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("half", "md-0=1")
	p, proxy := portalBehindProxy(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/half", "team-a-dev")
	tb.line("live")
	tb.seesWish("1")
	tb.keep()
	proxy.Stall()
	began := time.Now()
	w.SetReplicas("half", "md-0", 5, "kubectl-edit")
	tb.seesWish("5")
	if took := time.Since(began); took > 45*time.Second {
		t.Errorf("noticed after %s", took)
	}
	tb.sameDocument()
}

// The portal is stopped, which is all of it, and started: open pages heal.
func TestPortalRestarted(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("again", "md-0=1")
	p := startPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/again", "team-a-dev")
	tb.line("live")
	tb.keep()
	p.stop(t)
	tb.line("recon")
	w.SetReplicas("again", "md-0", 3, "kubectl-edit")
	p.start(t)
	tb.seesWish("3")
	tb.line("live")
	tb.sameDocument()
	tb.scaleTo("4")
	if got := w.Replicas("again", "md-0"); got != 4 {
		t.Errorf("spec has %d replicas, want 4", got)
	}
}

// Two replicas behind a load balancer that gives each request to the next one:
// the session, the page, the preview, the write and its answer don't care.
func TestTwoReplicas(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("twice", "md-0=1")
	one, two := preparePortal(t), preparePortal(t)
	addr, requests := testkit.RoundRobin(t, one.Addr, two.Addr)
	for _, p := range []*site{one, two} {
		p.env = append(p.env, behind(addr))
		p.start(t)
	}
	url := strings.TrimPrefix(behind(addr), "CAPSTAN_PUBLIC_URL=")
	tb := openTab(t, testkit.Look{})
	tb.signIn(url+"/?ns="+w.Namespace, "team-a-dev")
	tb.click(`table a:has-text("twice")`)
	tb.line("live")
	for _, n := range []string{"2", "3", "4"} {
		tb.scaleTo(n)
		tb.seesText("#activity", n)
	}
	if got := w.Replicas("twice", "md-0"); got != 4 {
		t.Errorf("spec has %d replicas, want 4", got)
	}
	tb.keep()
	w.SetReplicas("twice", "md-0", 2, "kubectl-edit")
	tb.seesWish("2")
	tb.sameDocument()
	if a, b := requests(one.Addr), requests(two.Addr); a < 5 || b < 5 {
		t.Errorf("the replicas had %d and %d requests", a, b)
	}
}

// A right that is taken away takes the open page and the open row with it.
func TestRightsTakenAway(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("mine", "md-0=1")
	p := sharedPortal(t)
	page, list := openTab(t, testkit.Look{}), openTab(t, testkit.Look{})
	page.signIn(p.URL+"/clusters/"+w.Namespace+"/mine", "team-a-dev")
	list.signIn(p.URL+"/?ns="+w.Namespace, "team-a-dev")
	for _, open := range []*tab{page, list} {
		open.line("live")
	}
	w.Delete("RoleBinding", "oidc-team-a-"+team)
	began := time.Now()
	list.must(list.expect.Locator(list.Locator(`tr:has-text("mine")`)).ToHaveClass(containing("is-gone")))
	page.seesText("main", "404")
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("gone after %s", took)
	}
	if body, _ := page.Content(); strings.Contains(body, "pool-machine-deployment") {
		t.Error("the page still shows the cluster")
	}
}

func portalBehindProxy(t *testing.T) (*site, *testkit.Proxy) {
	t.Helper()
	p := preparePortal(t)
	proxy := testkit.NewProxy(t, p.Addr)
	p.env = append(p.env, behind(proxy.Addr()))
	p.URL = strings.TrimPrefix(behind(proxy.Addr()), "CAPSTAN_PUBLIC_URL=")
	p.start(t)
	return p, proxy
}

// scaleTo types a number for md-0 and applies it.
func (tb *tab) scaleTo(n string) {
	tb.t.Helper()
	tb.must(tb.Locator(number).Fill(n))
	tb.seesText("#pending", "dry run")
	if boxes, _ := tb.Locator("#pending input[type=checkbox]").Count(); boxes > 0 {
		tb.must(tb.Locator("#pending input[type=checkbox]").Check())
	}
	tb.click("#pending [data-apply]")
	tb.must(tb.expect.Locator(tb.Locator("#pending")).ToBeHidden())
	tb.seesWish(n)
}

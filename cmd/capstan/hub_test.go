//go:build sandbox

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// What only a sandbox of its own can show: its parts are stopped and started.
// It runs without managers, which nothing here needs.
func TestPartsThatFail(t *testing.T) {
	t.Parallel()
	sb := testkit.OwnSandbox(t, "--managers=false")
	w := testkit.NewBareWorld(t, sb)
	w.Grant(teamA, team)
	w.Paused("far", "md-0=1")
	p := startPortal(t, append(sb.Settings(), "CAPSTAN_SESSION_RENEW_AFTER=10s", "CAPSTAN_DECISION_TTL=5s")...)
	tb := openTab(t, testkit.Look{})
	path := p.URL + "/clusters/" + w.Namespace + "/far"
	tb.signIn(path, "team-a-dev")
	tb.line("live")
	tb.keep()
	t.Run("management cluster", func(t *testing.T) { hubComesBack(t, sb, w, tb.in(t)) })
	t.Run("provider", func(t *testing.T) { providerComesBack(t, sb, w, tb.in(t)) })
	t.Run("account", func(t *testing.T) { accountDisabled(t, sb, p, tb.in(t)) })
}

// in is the same tab for a part of a test.
func (tb *tab) in(t *testing.T) *tab { return &tab{Page: tb.Page, t: t, expect: tb.expect} }

func hubComesBack(t *testing.T, sb *testkit.Sandbox, w *testkit.World, tb *tab) {
	sb.Stop(t, "kube-apiserver")
	tb.must(tb.expect.Locator(tb.Locator("#lost")).ToBeVisible())
	tb.seesText("#lost", "not reachable")
	if since, _ := tb.Locator("#lost time").TextContent(); !hasClock(since) {
		t.Errorf("no time in %q", since)
	}
	tb.line("live") // to the portal it is
	// A second tab of the same browser: two browsers with copies of one session
	// would take each other's refresh token away.
	page, err := tb.Context().NewPage()
	tb.must(err)
	again := (&tab{Page: page, expect: tb.expect}).in(t)
	// Once what people may see is too old to be relied on, no page is built; the
	// one that is open keeps what it shows.
	eventually(t, "a new page can't be shown", func() bool {
		again.open(tb.URL())
		text, _ := again.Locator("main").TextContent()
		return strings.Contains(text, "503")
	})
	tb.must(tb.expect.Locator(tb.Locator("#lost")).ToBeVisible())
	tb.seesWish("1")
	sb.Start(t, "kube-apiserver")
	tb.must(tb.expect.Locator(tb.Locator("#lost")).ToBeHidden())
	w.SetReplicas("far", "md-0", 2, "kubectl-edit")
	tb.seesWish("2")
	again.seesWish("2") // nobody has reloaded it
	tb.sameDocument()
}

// The provider is down when the session is renewed: the page neither leaves nor
// forgets, and goes on when the provider is back.
func providerComesBack(t *testing.T, sb *testkit.Sandbox, w *testkit.World, tb *tab) {
	sb.Stop(t, "oidc")
	tb.must(tb.expect.Locator(tb.Locator("#conn")).Not().ToHaveAttribute("data-state", "live", attributeWithin(100*time.Second)))
	sb.Start(t, "oidc")
	w.SetReplicas("far", "md-0", 3, "kubectl-edit")
	tb.seesWish("3")
	tb.line("live")
	tb.sameDocument()
}

// A person whose account is shut is out at the next renewal: at the next click
// in one tab, by itself in another.
func accountDisabled(t *testing.T, sb *testkit.Sandbox, p *site, tb *tab) {
	sb.Disable(t, "team-a-dev")
	began := time.Now()
	eventually(t, "the next click leads to the sign-in", func() bool {
		clicking, err := tb.Context().NewPage()
		tb.must(err)
		defer func() { _ = clicking.Close() }()
		_, err = clicking.Goto(p.URL + "/me")
		tb.must(err)
		return strings.HasPrefix(clicking.URL(), sb.Issuer)
	})
	if took := time.Since(began); took > 40*time.Second {
		t.Errorf("out after %s, although renewed every 10 s", took)
	}
	tb.must(tb.expect.Locator(tb.Locator("input[name=username]")).ToBeVisible(visibleWithin(100 * time.Second)))
}

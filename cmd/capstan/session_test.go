//go:build sandbox

package main

import (
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// A form sent without a session is answered with a page that keeps what was
// typed, leads to the sign-in, and sends it again afterwards.
func TestFormWithoutSession(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("typed", "md-0=1")
	p := sharedPortal(t)
	for name, look := range map[string]testkit.Look{"script": {}, "no script": {NoScript: true}} {
		tb := openTab(t, look)
		tb.signIn(p.URL+"/clusters/"+w.Namespace+"/typed", "team-a-dev")
		if !look.NoScript {
			tb.line("live") // a page without a session goes to the sign-in when it connects
		}
		tb.must(tb.Context().ClearCookies())
		tb.must(tb.Locator(number).Fill("7"))
		if look.NoScript {
			tb.click(preview0)
		}
		tb.seesText("main", "401")
		tb.seesText("main form dl", "7")
		if got := w.Replicas("typed", "md-0"); got != 1 {
			t.Fatalf("%s: without a session %d was written", name, got)
		}
		link, err := tb.Locator(`main a[href*="/auth/login"]`).GetAttribute("href")
		tb.must(err)
		other, err := tb.Context().NewPage()
		tb.must(err)
		second := &tab{Page: other, t: t, expect: tb.expect}
		second.signIn(p.URL+link, "team-a-dev")
		tb.click(`main form button[type=submit]`)
		tb.seesText("#pending", "6 machines")
		tb.must(tb.expect.Locator(tb.Locator(number)).ToHaveValue("7"))
	}
}

// The form of a new cluster, too, says that the session is over as soon as
// something is typed, and keeps it.
func TestCreateFormWithoutSession(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("seen", "md-0=1") // with the class
	tb := openTab(t, testkit.Look{})
	tb.signIn(sharedPortal(t).URL+"/create/"+w.Namespace+"/quick", "team-a-dev")
	tb.must(tb.Context().ClearCookies())
	tb.must(tb.Locator("#name").Fill("kept"))
	tb.seesText("main", "401")
	tb.seesText("main form dl", "kept")
}

// A session has an end: the open page leads to the sign-in by itself, and back
// to where it was. A page with an open draft stays, says so and goes on with the
// next session.
func TestSessionEnds(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("short", "md-0=1")
	p := startPortal(t, "CAPSTAN_SESSION_MAX=1m", "CAPSTAN_SESSION_IDLE=1m")
	tb := openTab(t, testkit.Look{})
	url := p.URL + "/clusters/" + w.Namespace + "/short"
	tb.signIn(url, "team-a-dev")
	tb.line("live")
	other, err := tb.Context().NewPage()
	tb.must(err)
	draft := &tab{Page: other, t: t, expect: tb.expect}
	draft.open(url)
	draft.line("live")
	draft.must(draft.Locator(number).Fill("4"))
	draft.seesText("#pending", "3 machines")
	draft.keep()
	// The provider has forgotten the person, too.
	tb.must(tb.forget("sandbox_sign_on"))
	began := time.Now()
	tb.must(tb.expect.Locator(tb.Locator("input[name=username]")).ToBeVisible(visibleWithin(90 * time.Second)))
	if took := time.Since(began); took < 30*time.Second {
		t.Errorf("a session of a minute ended after %s", took)
	}
	draft.seesText("#stale [data-text]", "Your session has ended")
	tb.authenticate("team-a-dev")
	tb.must(tb.expect.Page(tb).ToHaveURL(url))
	tb.line("live")
	draft.must(draft.expect.Locator(draft.Locator("#stale")).ToBeHidden())
	draft.must(draft.expect.Locator(draft.Locator(number)).ToHaveValue("4"))
	draft.sameDocument()
}

// Signing out ends other open tabs as well, and the provider's session.
func TestSignOut(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("bye", "md-0=1")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	url := p.URL + "/clusters/" + w.Namespace + "/bye"
	tb.signIn(url, "team-a-dev")
	other, err := tb.Context().NewPage()
	tb.must(err)
	second := &tab{Page: other, t: t, expect: tb.expect}
	second.open(url)
	second.line("live")
	tb.click(`header form[action$="/auth/logout"] button`)
	tb.seesText("main h1", "You are signed out")
	second.must(second.expect.Locator(second.Locator("input[name=username]")).ToBeVisible())
	tb.open(url)
	tb.must(tb.expect.Locator(tb.Locator("input[name=username]")).ToBeVisible())
}

//go:build sandbox

package main

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// Somebody else writes under an open draft: both values and who it was are
// shown, nothing is written before the person chooses, either way.
func TestConflict(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("tug", "md-0=3")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/tug", "team-a-dev")
	tb.line("live")
	conflict := func(others int, typed string) {
		tb.must(tb.Locator(number).Fill(typed))
		tb.seesText("#pending", "dry run")
		w.SetReplicas("tug", "md-0", others, "<b>kubectl</b>")
		tb.seesText("#pending", "<b>kubectl</b> set")
		tb.must(tb.expect.Locator(tb.Locator(number)).ToHaveValue(typed))
		if got := w.Replicas("tug", "md-0"); got != int64(others) {
			t.Fatalf("the spec has %d before anybody chose", got)
		}
	}
	conflict(4, "6")
	tb.seesText("#pending", "Keep 4")
	tb.click("#pending [data-cancel]")
	tb.seesWish("4")
	if got := w.Replicas("tug", "md-0"); got != 4 {
		t.Errorf("keeping wrote %d", got)
	}
	conflict(5, "7")
	tb.click(`#pending button:has-text("Set 7")`)
	tb.seesText("#pending", "dry run")
	tb.click("#pending [data-apply]")
	tb.must(tb.expect.Locator(tb.Locator("#pending")).ToBeHidden())
	tb.seesWish("7")
	if got := w.Replicas("tug", "md-0"); got != 7 {
		t.Errorf("the spec has %d, want 7", got)
	}
}

// The same without liveness: only the write meets the other's.
func TestConflictWithoutScript(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("tug", "md-0=3")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{NoScript: true})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/tug", "team-a-dev")
	tb.must(tb.Locator(number).Fill("6"))
	tb.click(preview0)
	tb.seesText("#pending", "3 machines")
	w.SetReplicas("tug", "md-0", 4, "flux")
	tb.click("#pending [data-apply]")
	tb.seesText("#pending", "flux set 4")
	if got := w.Replicas("tug", "md-0"); got != 4 {
		t.Fatalf("the spec has %d before anybody chose", got)
	}
	tb.click(`#pending button:has-text("Set 6")`)
	tb.seesText("#pending", "2 machines")
	tb.must(tb.Locator("#pending input[name=anyway]").Check()) // flux holds the number
	tb.click("#pending [data-apply]")
	w.Until("the spec has the six that were chosen", func(context.Context) bool { return w.Replicas("tug", "md-0") == 6 })
}

// What was looked at is no longer there: the pool, or the cluster itself, which
// somebody made anew under its name.
func TestWhatWasSeenIsGone(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("gone", "md-0=1", "md-1=1")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{NoScript: true})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/gone", "team-a-dev")
	preview := func(n string) {
		tb.must(tb.Locator(number).Fill(n))
		tb.click(preview0)
		tb.seesText("#pending", "dry run")
	}
	preview("2")
	w.Delete("Cluster", "gone")
	w.Paused("gone", "md-0=1", "md-1=1")
	tb.click("#pending [data-apply]")
	tb.seesText("#pending", "created anew under the same name")
	if got := w.Replicas("gone", "md-0"); got != 1 {
		t.Errorf("the new cluster got %d", got)
	}
	tb.open(p.URL + "/clusters/" + w.Namespace + "/gone")
	preview("3")
	w.DropPool("gone", "md-0")
	tb.click("#pending [data-apply]")
	tb.seesText("#pending", "The pool md-0 is not there any more")
	if got := w.Replicas("gone", "md-1"); got != 1 {
		t.Errorf("another pool got %d", got)
	}
	if status, _ := tb.forge(p, w, "gone", "1", "2"); status != http.StatusConflict {
		t.Errorf("a pool that has gone answers %d, want 409", status)
	}
}

// A double click, and the same form sent twice, write once.
func TestDoubleClickWritesOnce(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("once", "md-0=1")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/once", "team-a-dev")
	before := w.Get("Cluster", "once").GetGeneration()
	tb.must(tb.Locator(number).Fill("4"))
	tb.seesText("#pending", "dry run")
	tb.must(tb.Locator("#pending [data-apply]").Dblclick())
	tb.must(tb.expect.Locator(tb.Locator("#pending")).ToBeHidden())
	tb.seesWish("4")
	if status, _ := tb.forge(p, w, "once", "1", "4"); status != http.StatusSeeOther {
		t.Errorf("the same form again answers %d, want 303", status)
	}
	if now := w.Get("Cluster", "once").GetGeneration(); now != before+1 {
		t.Errorf("%d writes, want one", now-before)
	}
	changes, err := tb.Locator(`#activity li:has-text("1 → 4")`).Count()
	tb.must(err)
	if changes != 1 {
		t.Errorf("%d changes are shown, want one", changes)
	}
}

// A second wish counts while the first is still under way.
func TestSecondWish(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Cluster("wishes", "md-0=1/never")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/wishes", "team-a-dev")
	tb.scaleTo("3")
	tb.seesText(md0, "of 3 ready")
	tb.scaleTo("2")
	tb.seesText(md0, "0 of 2 ready")
	tb.seesText("#activity", "3 → 2")
	tb.seesText("#activity", "1 → 3")
	if got := w.Replicas("wishes", "md-0"); got != 2 {
		t.Errorf("the spec has %d, want 2", got)
	}
	if text, _ := tb.Locator(md0).TextContent(); strings.Contains(text, "finished") {
		t.Errorf("machines that never come are said to have come: %s", text)
	}
}

// Below a path everything works the same.
func TestPathPrefix(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("below", "md-0=1")
	p := startPortal(t, "CAPSTAN_PUBLIC_URL=http://localhost:PORT/capstan")
	tb := openTab(t, testkit.Look{})
	tb.refuseMissing()
	tb.signIn(p.URL+"/?ns="+w.Namespace, "team-a-dev")
	tb.click(`table a:has-text("below")`)
	tb.line("live")
	tb.scaleTo("2")
	if !strings.HasPrefix(tb.URL(), p.URL+"/clusters/") {
		t.Errorf("after the write the page is at %s", tb.URL())
	}
	w.SetReplicas("below", "md-0", 3, "kubectl-edit")
	tb.seesWish("3")
	tb.click("header button[name=lang]")
	tb.must(tb.expect.Locator(tb.Locator("html")).ToHaveAttribute("lang", "zh-Hans"))
	for _, link := range []string{`header a[href$="/catalog"]`, `header a[href$="/me"]`, `header a[href="/capstan/"]`} {
		tb.click(link)
		tb.must(tb.expect.Locator(tb.Locator("main h1")).ToBeVisible())
	}
	tb.click(`header form[action$="/auth/logout"] button`)
	tb.must(tb.expect.Locator(tb.Locator("main h1")).ToBeVisible())
	if !strings.HasPrefix(tb.URL(), p.URL) {
		t.Errorf("after signing out the page is at %s", tb.URL())
	}
}

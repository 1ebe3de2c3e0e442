//go:build sandbox

package main

import (
	"context"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/capstan-portal/capstan/internal/testkit"
)

const (
	teamA = "oidc:team-a"
	teamB = "oidc:team-b"
	team  = "cluster-api-team" // the ClusterRole of the sandbox's teams
)

// drag moves the thumb of a pool's slider with the mouse from one number to
// another.
func (tb *tab) drag(pool string, from, to float64) {
	tb.t.Helper()
	slider := tb.Locator(pool + " input[type=range]")
	box, err := slider.BoundingBox()
	tb.must(err)
	limit := tb.eval(`+document.querySelector("` + pool + ` input[type=range]").max`)
	at := func(n float64) float64 {
		const thumb = 12
		return box.X + thumb/2 + (box.Width-thumb)*n/parse(tb.t, limit)
	}
	y := box.Y + box.Height/2
	tb.must(tb.Mouse().Move(at(from), y))
	tb.must(tb.Mouse().Down())
	tb.must(tb.Mouse().Move(at(to), y, playwright.MouseMoveOptions{Steps: playwright.Int(10)}))
	tb.must(tb.Mouse().Up())
}

// A pool of the page with its number and, without scripts, its button.
const (
	md0      = "#pool-machine-deployment-md-0"
	number   = md0 + " [data-scale-form] input[name=replicas]"
	preview0 = md0 + " [data-scale-form] button[value=preview]"
)

// The story the portal exists for, by mouse: open the cluster, drag from 3 to
// 8, read, apply, and watch five machines come without a reload.
func TestScaleByMouse(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Cluster("shop", "md-0=3")
	w.Available("shop")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/?ns="+w.Namespace, "team-a-dev")
	tb.click(`table a:has-text("shop")`)
	tb.seesText(md0, "3 of 3 ready")

	tb.drag(md0, 3, 8)
	tb.seesText("#pending", "5 machines")
	tb.seesText("#pending", "dry run")
	if got := w.Replicas("shop", "md-0"); got != 3 {
		t.Fatalf("a preview wrote %d", got)
	}
	tb.click("#pending [data-apply]")
	tb.seesText(md0, "of 8 ready")
	if got := w.Replicas("shop", "md-0"); got != 8 {
		t.Fatalf("spec has %d replicas, want 8", got)
	}
	tb.eval(`window.sameDocument = true`)
	tb.seesText(md0, "8 of 8 ready")
	tb.seesText("#activity", "3 → 8")
	if tb.eval(`window.sameDocument === true`) != "true" {
		t.Error("the page was reloaded")
	}
}

// The same by keyboard, and back: half or less wants a confirmation.
func TestScaleByKeyboard(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Cluster("keys", "md-0=1")
	w.Available("keys")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/keys", "team-a-dev")
	slider := tb.Locator(md0 + " input[type=range]")
	tb.must(slider.Focus())
	tb.must(tb.Keyboard().Press("ArrowRight"))
	tb.seesText("#pending", "1 machine")
	tb.must(tb.Keyboard().Press("Escape"))
	tb.must(tb.expect.Locator(tb.Locator("#pending")).ToBeHidden())
	tb.must(slider.Focus())
	tb.must(tb.Keyboard().Press("ArrowRight"))
	tb.seesText("#pending", "dry run")
	tb.must(tb.Keyboard().Press("Control+Enter"))
	tb.seesText(md0, "2 of 2 ready")

	tb.must(slider.Focus())
	tb.must(tb.Keyboard().Press("ArrowLeft"))
	tb.seesText("#pending", "1 machine")
	tb.must(tb.Locator("#pending input[type=checkbox]").Check())
	tb.click("#pending [data-apply]")
	w.Until("spec has one replica again", func(context.Context) bool { return w.Replicas("keys", "md-0") == 1 })
	tb.seesText(md0, "1 of 1 ready")
}

// Two browsers look at one cluster: what one applies, the other sees.
func TestTwoBrowsers(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Cluster("both", "md-0=1")
	w.Available("both")
	p := sharedPortal(t)
	one, two := openTab(t, testkit.Look{}), openTab(t, testkit.Look{})
	url := p.URL + "/clusters/" + w.Namespace + "/both"
	one.signIn(url, "team-a-dev")
	two.signIn(url, "platform-admin")
	two.eval(`window.sameDocument = true`)
	one.must(one.Locator(number).Fill("2"))
	one.seesText("#pending", "dry run")
	one.click("#pending [data-apply]")
	two.seesText(md0, "2 of 2 ready")
	two.must(two.expect.Locator(two.Locator(number)).ToHaveValue("2"))
	two.seesText("#activity", "team-a-dev")
	if two.eval(`window.sameDocument === true`) != "true" {
		t.Error("the second page was reloaded")
	}
}

// Without JavaScript: type, preview, apply.
func TestScaleWithoutScript(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Cluster("plain", "md-0=1")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{NoScript: true})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/plain", "team-a-dev")
	tb.seesCount(md0+" input[type=range]:visible", 0)
	for typed, sentence := range map[string]string{"-1": "0", "1000000000": "1000 machines", "3.5": "whole", "lots": "number"} {
		tb.eval(`(f => { f.type = "text"; })(document.querySelector("` + number + `"))`)
		tb.must(tb.Locator(number).Fill(typed))
		tb.click(preview0)
		tb.seesText("#pending", sentence)
		tb.must(tb.expect.Locator(tb.Locator(number)).ToHaveAttribute("value", typed))
	}
	tb.must(tb.Locator(number).Fill("3"))
	tb.click(preview0)
	tb.seesText("#pending", "2 machines")
	if got := w.Replicas("plain", "md-0"); got != 1 {
		t.Fatalf("a preview wrote %d", got)
	}
	tb.click("#pending [data-apply]")
	w.Until("spec has three replicas", func(context.Context) bool { return w.Replicas("plain", "md-0") == 3 })
}

// What is typed while the scripts are still on their way counts as soon as they
// have come.
func TestTypedBeforeScripts(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("early", "md-0=1")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/me", "team-a-dev")
	typed := make(chan struct{})
	tb.must(tb.Route("**/js/main.js", func(r playwright.Route) {
		<-typed
		_ = r.Continue()
	}))
	_, err := tb.Goto(p.URL+"/clusters/"+w.Namespace+"/early", playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateCommit})
	tb.must(err)
	tb.must(tb.Locator(number).Fill("4"))
	close(typed)
	tb.seesText("#pending", "3 machines")
	tb.must(tb.expect.Locator(tb.Locator(md0 + " .when-idle").First()).ToBeHidden())
}

// Enter after the typed name of the pool applies what was confirmed.
func TestConfirmByEnter(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("empty", "md-0=2")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/empty", "team-a-dev")
	tb.must(tb.Locator(number).Fill("0"))
	name := tb.Locator("#pending input[name=confirm][type=text]")
	tb.must(name.Fill("md-0"))
	tb.must(name.Press("Enter"))
	w.Until("spec has no replicas", func(context.Context) bool { return w.Replicas("empty", "md-0") == 0 })
}

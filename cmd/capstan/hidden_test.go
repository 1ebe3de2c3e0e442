//go:build sandbox

package main

import (
	"strconv"
	"testing"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// A tab that nobody sees gives its line up after a minute, and has what
// happened meanwhile as soon as it is looked at again.
func TestHiddenTabPauses(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Paused("unseen", "md-0=1")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.must(tb.Clock().Install())
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/unseen", "team-a-dev")
	tb.line("live")
	tb.keep()
	hide := func(hidden bool) {
		tb.eval(`Object.defineProperty(document, "hidden", {configurable: true, get: () => ` + strconv.FormatBool(hidden) + `}); document.dispatchEvent(new Event("visibilitychange"))`)
	}
	hide(true)
	tb.must(tb.Clock().FastForward(61_000))
	tb.line("recon")
	w.SetReplicas("unseen", "md-0", 4, "kubectl-edit")
	tb.must(tb.Clock().FastForward(30_000)) // it doesn't try again either
	tb.line("recon")
	hide(false)
	tb.line("live")
	tb.seesWish("4")
	tb.sameDocument()
}

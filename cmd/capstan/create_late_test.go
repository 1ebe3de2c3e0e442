//go:build sandbox

package main

import (
	"sync"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// What is typed while an answer is under way is newer than the answer, which
// must not take it back.
func TestTypedWhileAnAnswerIsUnderWay(t *testing.T) {
	t.Parallel()
	w := newNested(t)
	tb := openTab(t, testkit.Look{})
	url := sharedPortal(t).URL + "/create/" + w.Namespace + "/nested?namespace=" + w.Namespace
	tb.signIn(url, "team-a-dev")
	tb.open(url) // waits for the scripts
	asked, release := make(chan struct{}), make(chan struct{})
	var first sync.Once
	tb.must(tb.Route("**/create/**", func(r playwright.Route) {
		go func() {
			first.Do(func() { close(asked); <-release })
			_ = r.Continue()
		}()
	}))
	tb.must(tb.Locator("#name").Fill("early"))
	eventually(t, "the form asks", func() bool {
		select {
		case <-asked:
			return true
		default:
			return false
		}
	})
	// The second question waits for a pause in typing, so the answer to the first
	// comes before it.
	answered, err := tb.ExpectResponse("**/create/**", func() error {
		if err := tb.Locator("#cp").Fill("5"); err != nil {
			return err
		}
		if err := tb.Locator("#name").Focus(); err != nil {
			return err
		}
		close(release)
		return nil
	})
	tb.must(err)
	tb.must(answered.Finished())
	tb.must(tb.expect.Locator(tb.Locator("#cp")).ToHaveValue("5"))
	tb.seesText("aside", "replicas: 5")
	tb.must(tb.expect.Locator(tb.Locator("#cp")).ToHaveValue("5"))
}

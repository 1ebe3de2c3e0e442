//go:build sandbox

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// tab is a browser tab with the checks that tests need.
type tab struct {
	playwright.Page
	t      *testing.T
	expect playwright.PlaywrightAssertions
}

// openTab opens a tab of a browser of its own.
func openTab(t *testing.T, look testkit.Look) *tab {
	t.Helper()
	page, err := browsers.Context(t, look).NewPage()
	if err != nil {
		t.Fatalf("new tab: %v", err)
	}
	tb := &tab{Page: page, t: t, expect: playwright.NewPlaywrightAssertions(60_000)}
	page.OnConsole(func(m playwright.ConsoleMessage) {
		if strings.Contains(m.Text(), "Content Security Policy") {
			t.Errorf("content policy violated: %s", m.Text())
		}
	})
	page.OnPageError(func(err error) { t.Errorf("script error: %v", err) })
	t.Cleanup(func() {
		if t.Failed() {
			tb.picture()
		}
	})
	return tb
}

// picture keeps what the tab shows, for whoever looks into a failure.
func (tb *tab) picture() {
	dir := filepath.Join(testkit.Root(tb.t), ".pictures", "failed")
	path := filepath.Join(dir, strings.ReplaceAll(tb.t.Name(), "/", "_")+".png")
	if err := os.MkdirAll(dir, 0o750); err != nil {
		tb.t.Log(err)
	}
	if _, err := tb.Screenshot(playwright.PageScreenshotOptions{Path: &path, FullPage: playwright.Bool(true)}); err == nil {
		tb.t.Logf("picture: %s at %s", path, tb.URL())
	}
}

// must fails the test when a browser action failed.
func (tb *tab) must(err error) {
	tb.t.Helper()
	if err != nil {
		tb.t.Fatalf("on %s: %v", tb.URL(), err)
	}
}

func (tb *tab) open(url string) {
	tb.t.Helper()
	_, err := tb.Goto(url)
	tb.must(err)
}

// signIn opens a page of the portal and signs in on the way to it.
func (tb *tab) signIn(url, account string) {
	tb.t.Helper()
	tb.open(url)
	tb.authenticate(account)
}

// authenticate fills in the provider's form.
func (tb *tab) authenticate(account string) {
	tb.t.Helper()
	tb.must(tb.Locator("input[name=username]").Fill(account))
	tb.must(tb.Locator("input[type=password]").Fill(account))
	tb.must(tb.Locator("button[type=submit]").Click())
	tb.must(tb.expect.Locator(tb.Locator(`header a[href$="/me"]`).First()).ToContainText(account))
}

func (tb *tab) click(selector string) {
	tb.t.Helper()
	tb.must(tb.Locator(selector).First().Click())
}

func (tb *tab) seesText(selector, text string) {
	tb.t.Helper()
	tb.must(tb.expect.Locator(tb.Locator(selector).First()).ToContainText(text))
}

func (tb *tab) seesCount(selector string, n int) {
	tb.t.Helper()
	tb.must(tb.expect.Locator(tb.Locator(selector)).ToHaveCount(n))
}

// eval runs a script in the page and gives its result as text.
func (tb *tab) eval(script string) string {
	tb.t.Helper()
	got, err := tb.Evaluate(script)
	tb.must(err)
	return fmt.Sprint(got)
}

// containing is a pattern for an attribute that has a word among others.
func containing(word string) *regexp.Regexp { return regexp.MustCompile(`(^|\s)` + word + `(\s|$)`) }

// hasClock says whether a text holds a time of day.
func hasClock(text string) bool { return regexp.MustCompile(`\d\d:\d\d:\d\d`).MatchString(text) }

// forget drops the cookies whose names begin with a word.
func (tb *tab) forget(prefix string) error {
	return tb.Context().ClearCookies(playwright.BrowserContextClearCookiesOptions{Name: regexp.MustCompile("^" + prefix)})
}

// visibleWithin waits longer than other checks do.
func visibleWithin(limit time.Duration) playwright.LocatorAssertionsToBeVisibleOptions {
	return playwright.LocatorAssertionsToBeVisibleOptions{Timeout: playwright.Float(float64(limit.Milliseconds()))}
}

func attributeWithin(limit time.Duration) playwright.LocatorAssertionsToHaveAttributeOptions {
	return playwright.LocatorAssertionsToHaveAttributeOptions{Timeout: playwright.Float(float64(limit.Milliseconds()))}
}

// refuseMissing fails the test when anything that the page asks for is missing.
func (tb *tab) refuseMissing() {
	tb.OnResponse(func(r playwright.Response) {
		if r.Status() >= 400 {
			tb.t.Errorf("%s answers %d", r.URL(), r.Status())
		}
	})
}

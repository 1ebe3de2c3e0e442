//go:build sandbox

package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// What the tests of the whole program share: the program itself, built once
// with the race detector, and one Chromium.
var (
	program  string
	browsers testkit.Browsers
)

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "capstan")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "capstan")
	build := exec.Command("go", "build", "-race", "-o", program, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build of the portal:", err)
		return 1
	}
	defer browsers.Close()
	return m.Run()
}

// site is a running Capstan process.
type site struct {
	t    *testing.T
	URL  string // public URL, without a slash at the end
	cmd  *exec.Cmd
	log  string
	args []string
}

// startPortal runs the program on a free port against the shared sandbox.
// Settings are CAPSTAN_… pairs that win over the sandbox's.
func startPortal(t *testing.T, settings ...string) *site {
	t.Helper()
	testkit.SharedSandbox(t)
	port := freePort(t)
	p := &site{t: t, URL: fmt.Sprintf("http://localhost:%d", port), log: filepath.Join(t.TempDir(), "portal.log")}
	p.args = append([]string{
		fmt.Sprintf("CAPSTAN_LISTEN=127.0.0.1:%d", port), "CAPSTAN_PUBLIC_URL=" + p.URL,
		"CAPSTAN_SESSION_KEYS=test:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
	}, settings...)
	for _, setting := range settings {
		if url, ok := strings.CutPrefix(setting, "CAPSTAN_PUBLIC_URL="); ok {
			p.URL = url
		}
	}
	p.start(fmt.Sprintf("http://127.0.0.1:%d", port))
	t.Cleanup(p.stop)
	return p
}

func (p *site) start(probe string) {
	p.t.Helper()
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		p.t.Fatal(err)
	}
	p.cmd = exec.Command(program, "serve")
	p.cmd.Env = append(os.Environ(), p.args...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	_ = log.Close()
	eventually(p.t, "the portal is ready", func() bool {
		resp, err := http.Get(probe + "/readyz")
		if err != nil {
			return false
		}
		_ = resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
}

// stop ends the portal and fails the test if it found a data race.
func (p *site) stop() {
	if p.cmd == nil {
		return
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait()
	p.cmd = nil
	log, _ := os.ReadFile(p.log)
	if strings.Contains(string(log), "DATA RACE") {
		p.t.Errorf("the portal has a data race:\n%s", log)
	}
	if p.t.Failed() {
		p.t.Logf("the portal's log:\n%s", tail(string(log), 60))
	}
}

func tail(text string, lines int) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// freePort is a port that nobody listens on at the moment.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	n, _ := strconv.Atoi(port)
	return n
}

// eventually waits for a condition, two minutes at most.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-ctx.Done():
			t.Fatalf("waited two minutes in vain: %s", what)
		case <-tick.C:
		}
	}
}

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

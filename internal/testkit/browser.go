//go:build sandbox

package testkit

import (
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// browser is the one Chromium of a test binary.
type browser struct {
	once sync.Once
	b    playwright.Browser
	err  error
}

// Browsers hands out pages of one shared Chromium. The zero value is ready to
// use; keep one per test binary and Close it in TestMain.
type Browsers struct {
	shared browser
	driver *playwright.Playwright
}

// Look is how a page is looked at.
type Look struct {
	Width, Height int    // 1440 and 900 when zero
	Dark          bool   // prefers-color-scheme
	Locale        string // "en-GB" when empty
	NoScript      bool   // JavaScript off
	Touch         bool
}

// Context opens a browser context of its own (own cookies) that is closed when
// the test ends.
func (bs *Browsers) Context(t *testing.T, look Look) playwright.BrowserContext {
	t.Helper()
	bs.shared.once.Do(bs.launch)
	if bs.shared.err != nil {
		t.Fatalf("no browser: %v (run `make test`, which prepares it)", bs.shared.err)
	}
	if look.Width == 0 {
		look.Width = 1440
	}
	if look.Height == 0 {
		look.Height = 900 // without a height no frame is drawn, and no click comes through
	}
	if look.Locale == "" {
		look.Locale = "en-GB"
	}
	scheme := playwright.ColorSchemeLight
	if look.Dark {
		scheme = playwright.ColorSchemeDark
	}
	ctx, err := bs.shared.b.NewContext(playwright.BrowserNewContextOptions{
		Viewport:          &playwright.Size{Width: look.Width, Height: look.Height},
		ColorScheme:       scheme,
		Locale:            &look.Locale,
		JavaScriptEnabled: playwright.Bool(!look.NoScript),
		HasTouch:          &look.Touch,
	})
	if err != nil {
		t.Fatalf("new browser context: %v", err)
	}
	ctx.SetDefaultTimeout(30_000)
	t.Cleanup(func() { _ = ctx.Close() })
	return ctx
}

// Close ends the browser and its driver.
func (bs *Browsers) Close() {
	if bs.shared.b != nil {
		_ = bs.shared.b.Close()
	}
	if bs.driver != nil {
		_ = bs.driver.Stop()
	}
}

func (bs *Browsers) launch() {
	bs.driver, bs.shared.err = playwright.Run()
	if bs.shared.err != nil {
		return
	}
	path, err := chromium()
	if err != nil {
		bs.shared.err = err
		return
	}
	bs.shared.b, bs.shared.err = bs.driver.Chromium.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath: &path,
		Args: []string{"--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--headless=new",
			"--disable-background-networking", "--disable-component-update", "--disable-sync"},
	})
}

// chromium finds the browser: CHROMIUM names it, else the usual names are tried,
// the one without a window first: it takes half the CPU.
func chromium() (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path, nil
	}
	var err error
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		var path string
		if path, err = exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", err
}

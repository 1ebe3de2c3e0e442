//go:build sandbox && pictures

package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// shots are the pages of the demo that are worth a picture, by file name.
func shots() map[string]string {
	return map[string]string{
		"clusters": "/", "filtered": "/?ns=team-a&sort=name", "empty": "/?q=nothing", "catalog": "/catalog", "class": "/catalog/catalog/rich", "create": "/create/catalog/rich", "me": "/me",
		"gone": "/clusters/team-a/nothing", "signed-out": "/auth/signed-out",
	}
}

// demo names the clusters of the seed and waits until it is through with them.
func demo(t *testing.T, sb *testkit.Sandbox) map[string]string {
	t.Helper()
	clusters := sb.Client.Resource(schema.GroupVersionResource{Group: "cluster.x-k8s.io", Version: "v1beta2", Resource: "clusters"})
	pages := map[string]string{}
	seen, still := 0, 0
	if !within(8*time.Minute, func() bool {
		list, err := clusters.List(context.Background(), metav1.ListOptions{})
		if err != nil {
			return false
		}
		if still++; len(list.Items) != seen {
			seen, still = len(list.Items), 0
		}
		for _, c := range list.Items {
			pages["cluster-"+c.GetName()] = "/clusters/" + c.GetNamespace() + "/" + c.GetName()
		}
		return seen >= 10 && still > 300 // half a minute without another one
	}) {
		t.Fatal("the demo's clusters did not come within eight minutes")
	}
	return pages
}

// TestPictures writes a picture of every page into .pictures, and those of the
// documents into docs/pictures.
func TestPictures(t *testing.T) {
	sb := testkit.SharedSandbox(t)
	p := sharedPortal(t)
	pages := demo(t, sb)
	for name, path := range shots() {
		pages[name] = path
	}
	dir := filepath.Join(testkit.Root(t), ".pictures")
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	for _, lang := range []string{"en", "zh"} {
		tb := openTab(t, testkit.Look{Locale: map[string]string{"en": "en-GB", "zh": "zh-CN"}[lang]})
		tb.signIn(p.URL+"/", "platform-admin")
		for name, path := range pages {
			tb.open(p.URL + path)
			tb.shoot(dir, name+"-"+lang)
		}
		tb.open(p.URL + pages["cluster-shop-prod"])
		tb.draftForPicture()
		tb.shoot(dir, "draft-"+lang)
	}
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/create/catalog/rich", "team-a-dev")
	tb.document("create")
	tb.open(p.URL + pages["cluster-shop-prod"])
	tb.line("live")
	tb.must(tb.Locator(number).Fill("8"))
	tb.seesText("#pending", "Accepted by dry run")
	tb.document("preview")
	tb.click("#pending [data-apply]")
	tb.seesText(md0, "starting")
	tb.seesText("#activity", "3 → 8")
	tb.document("cluster")
}

// document keeps the page as a picture of the documents.
func (tb *tab) document(name string) {
	tb.t.Helper()
	path := filepath.Join(testkit.Root(tb.t), "docs", "pictures", name+".png")
	_, err := tb.Screenshot(playwright.PageScreenshotOptions{Path: &path, FullPage: playwright.Bool(true)})
	tb.must(err)
}

// draftForPicture moves the first pool's number up by three, without applying.
func (tb *tab) draftForPicture() {
	tb.t.Helper()
	tb.must(tb.Locator(".pool [data-scale-form] input[name=replicas]:enabled").First().Focus())
	for range 3 {
		tb.must(tb.Keyboard().Press("ArrowUp"))
	}
	tb.must(tb.expect.Locator(tb.Locator("#pending [data-apply]:enabled")).ToBeVisible())
}

// shoot takes the page wide and narrow, light and dark.
func (tb *tab) shoot(dir, name string) {
	tb.t.Helper()
	for suffix, look := range map[string]struct {
		width, height int
		scheme        *playwright.ColorScheme
	}{
		"1440-light": {1440, 900, playwright.ColorSchemeLight}, "1440-dark": {1440, 900, playwright.ColorSchemeDark},
		"390-light": {390, 844, playwright.ColorSchemeLight}, "390-dark": {390, 844, playwright.ColorSchemeDark},
	} {
		tb.must(tb.SetViewportSize(look.width, look.height))
		tb.must(tb.EmulateMedia(playwright.PageEmulateMediaOptions{ColorScheme: look.scheme}))
		path := filepath.Join(dir, name+"-"+suffix+".png")
		_, err := tb.Screenshot(playwright.PageScreenshotOptions{Path: &path, FullPage: playwright.Bool(look.width < 1000)})
		tb.must(err)
	}
}

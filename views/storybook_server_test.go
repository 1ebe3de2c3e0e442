package views

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/static"
)

// storyPage is who looks at the stories in tests.
func storyPage(t testing.TB, lang, theme string) Page {
	t.Helper()
	words, err := message.Load()
	if err != nil {
		t.Fatal(err)
	}
	return Page{
		Say: words.Printer(lang), URLs: URLs{Asset: static.URL}, Lang: lang, Theme: theme, User: "team-a-dev",
		Now: time.Now(), Request: "01J9ZK3Q4T", LoginURL: "/auth/login", Session: time.Now().Add(time.Hour),
	}
}

func render(t *testing.T, s Story) string {
	t.Helper()
	var b strings.Builder
	if err := Layout(s.Page, s.Screen).Render(context.Background(), &b); err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	return b.String()
}

// TestWriteStories writes the stories as files beside the assets, to look at:
// STORIES=/tmp/stories go test -run TestWriteStories ./views
func TestWriteStories(t *testing.T) {
	dir := os.Getenv("STORIES")
	if dir == "" {
		t.Skip("STORIES names no directory")
	}
	for _, lang := range []string{"en", "zh-Hans"} {
		for _, theme := range []string{"light", "dark"} {
			p := storyPage(t, lang, theme)
			p.URLs.Asset = func(name string) string { return "/static/" + name }
			for _, s := range Stories(p) {
				html := strings.ReplaceAll(render(t, s), `"/static/`, `"static/`)
				html = strings.Replace(html, " data-page=", " data-story=", 1) // nobody is there to be live with
				file := filepath.Join(dir, s.Name+"."+lang+"."+theme+".html")
				if err := os.WriteFile(file, []byte(html), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

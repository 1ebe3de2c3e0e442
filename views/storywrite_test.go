//go:build stories

package views

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWriteStories writes the stories as files beside the assets, to look at:
// STORIES=/tmp/stories go test -tags stories -run TestWriteStories ./views
func TestWriteStories(t *testing.T) {
	dir := os.Getenv("STORIES")
	if dir == "" {
		t.Fatal("STORIES names no directory")
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

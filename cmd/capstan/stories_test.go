//go:build sandbox

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/static"
	"github.com/capstan-portal/capstan/views"
)

// storybook serves the pages in states that take long to bring about for real.
func storybook(t *testing.T, lang, theme string) (url string, stories []views.Story) {
	t.Helper()
	words, err := message.Load()
	if err != nil {
		t.Fatal(err)
	}
	stories = views.Stories(views.StoryPage(words, static.URL, lang, theme))
	mux := http.NewServeMux()
	mux.Handle("/static/", static.Handler())
	for _, s := range stories {
		mux.HandleFunc("/"+s.Name, func(w http.ResponseWriter, r *http.Request) {
			var page strings.Builder
			if err := views.Layout(s.Page, s.Screen).Render(r.Context(), &page); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			// Nobody is there to be live with.
			_, _ = fmt.Fprint(w, strings.Replace(page.String(), " data-page=", " data-story=", 1))
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL, stories
}

// Every state in which a page can be passes axe and stays within the window:
// half of them wide, light and in English, the others the other way round.
func TestStories(t *testing.T) {
	t.Parallel()
	for half, look := range []struct {
		lang, theme string
		width       int
	}{{"en", "light", 1440}, {"zh-Hans", "dark", 390}} {
		url, stories := storybook(t, look.lang, look.theme)
		// So high that what sticks to the window's end covers nothing.
		tb := openTab(t, testkit.Look{Width: look.width, Height: 4000, Dark: look.theme == "dark"})
		for i, story := range stories {
			if i%2 == half {
				tb.open(url + "/" + story.Name)
				tb.narrow()
				testkit.Axe(t, tb.Page)
			}
		}
	}
}

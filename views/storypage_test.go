package views

import (
	"context"
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

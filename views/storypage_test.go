package views

import (
	"context"
	"strings"
	"testing"

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
	return StoryPage(words, static.URL, lang, theme)
}

func render(t *testing.T, s Story) string {
	t.Helper()
	var b strings.Builder
	if err := Layout(s.Page, s.Screen).Render(context.Background(), &b); err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	return b.String()
}

package web

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

// A browser that drops its question is no failure of the portal; a call that
// was canceled for another reason is.
func TestDroppedQuestionIsNoFailure(t *testing.T) {
	p := start(t, "", nil)
	canceled := fmt.Errorf("dry run: %w", context.Canceled)
	for name, c := range map[string]struct {
		dropped bool
		logged  string
	}{
		"dropped":  {true, "nobody waits for the answer"},
		"internal": {false, "request failed"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.dropped {
				cancel()
			}
			path := "/clusters/a/" + name
			answer := httptest.NewRecorder()
			p.handleError(canceled, echo.New().NewContext(httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil), answer))
			var lines []string
			for _, line := range strings.Split(p.log.String(), "\n") {
				if strings.Contains(line, path) {
					lines = append(lines, line)
				}
			}
			if len(lines) != 1 || !strings.Contains(lines[0], c.logged) || (answer.Body.Len() == 0) != c.dropped {
				t.Errorf("answered %d bytes, logged %q", answer.Body.Len(), lines)
			}
		})
	}
}

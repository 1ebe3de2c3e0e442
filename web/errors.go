package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/views"
)

// statusOf is the HTTP status of a failure.
func statusOf(code fail.Code) int {
	switch code {
	case fail.Unauthorized:
		return http.StatusUnauthorized
	case fail.Forbidden:
		return http.StatusForbidden
	case fail.NotFound:
		return http.StatusNotFound
	case fail.Conflict:
		return http.StatusConflict
	case fail.TooLarge:
		return http.StatusRequestEntityTooLarge
	case fail.Invalid:
		return http.StatusUnprocessableEntity
	case fail.TooMany:
		return http.StatusTooManyRequests
	case fail.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// handleError is the one place where errors become answers.
func (s *Server) handleError(err error, c echo.Context) {
	if c.Response().Committed {
		s.Log.Error("failed after the answer had begun", "request", requestID(c), "error", err)
		return
	}
	if errors.Is(err, context.Canceled) && c.Request().Context().Err() != nil {
		// A form that asks anew drops its older question.
		s.Log.Info("nobody waits for the answer", "path", c.Request().URL.Path, "request", requestID(c))
		return
	}
	session, _ := s.session(c.Request())
	if e := s.showError(c, s.newRequest(c, session), err); e != nil {
		s.Log.Error("error page failed", "request", requestID(c), "error", e)
		_ = c.String(http.StatusInternalServerError, "Internal error, request "+requestID(c)+"\n")
	}
}

// showError renders the page of a failure. Causes go to the log alone.
func (s *Server) showError(c echo.Context, r *request, err error) error {
	failure, status := failureOf(err)
	s.logFailure(c, r, err, status)
	var typed []views.Typed
	if failure.Code == fail.Unauthorized || creating(c) {
		typed = typedValues(c)
	}
	if failure.Code == fail.Unauthorized {
		if back := s.draftPath(c, r); back != "" {
			r.page.LoginURL = s.urls.Login(back)
		}
	}
	if failure.Code == fail.TooMany {
		c.Response().Header().Set("Retry-After", "10")
	}
	if status == http.StatusServiceUnavailable && safe(c.Request()) {
		c.Response().Header().Set("Refresh", s.refreshAfter(c, r))
	}
	if failure.Code == fail.Unauthorized || r.page.LoginURL != "" {
		r.page.User = "" // whoever it was, they have to sign in
	}
	failure.Cause = nil
	input := views.ErrorInput{Status: status, Failure: failure, Typed: typed, Asked: safe(c.Request())}
	if len(typed) > 0 {
		input.Action = s.urls.Path(s.localPath(c.Request()))
	}
	return s.render(c, status, r, views.Error(r.page, input))
}

// creating: the form of a new cluster lives in its page alone. Whatever fails, a
// class that is gone or a management cluster that doesn't answer, the values of
// half an hour must not go with it.
func creating(c echo.Context) bool { return strings.Contains(c.Path(), "/create/") }

// refreshAfter lets a page that could not be answered try again by itself,
// without a script. The provider's answer can be used once only: from there the
// way leads back to the sign-in.
func (s *Server) refreshAfter(c echo.Context, r *request) string {
	const seconds = "10"
	if strings.HasSuffix(c.Request().URL.Path, "/auth/callback") {
		return seconds + "; url=" + s.urls.Login("/")
	}
	return seconds + "; url=" + s.urls.Path(r.page.Path)
}

func (s *Server) logFailure(c echo.Context, r *request, err error, status int) {
	args := []any{"status", status, "path", c.Request().URL.Path, "user", r.user.Name, "request", requestID(c), "error", err}
	if status >= http.StatusInternalServerError {
		s.Log.Error("request failed", args...)
		return
	}
	s.Log.Info("request refused", args...)
}

// failureOf words any error. What is none of ours is an internal fault, of
// which people see no detail; echo's own come from its router.
func failureOf(err error) (fail.Error, int) {
	var ours *fail.Error
	if errors.As(err, &ours) {
		return *ours, statusOf(ours.Code)
	}
	var routed *echo.HTTPError
	if errors.As(err, &routed) {
		switch routed.Code {
		case http.StatusNotFound:
			return *notFound(), routed.Code
		case http.StatusMethodNotAllowed:
			return *fail.New(fail.NotFound, message.New("web.error.method")), routed.Code
		}
	}
	return *fail.New(fail.Internal, message.New("web.error.internal")), http.StatusInternalServerError
}

// typedValues is what a refused form held, in the order of its names, without
// what only the portal itself put there.
func typedValues(c echo.Context) []views.Typed {
	if safe(c.Request()) {
		return nil
	}
	values, err := form(c)
	if err != nil {
		return nil
	}
	return typedFrom(values)
}

func typedFrom(values url.Values) []views.Typed {
	var typed []views.Typed
	for name, all := range values {
		for _, value := range all {
			if value != "" {
				typed = append(typed, views.Typed{Name: name, Value: value})
			}
		}
	}
	slices.SortStableFunc(typed, func(a, b views.Typed) int { return strings.Compare(a.Name, b.Name) })
	return typed
}

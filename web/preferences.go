package web

import (
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/internal/auth"
)

const (
	themeCookie = "theme"
	langCookie  = "lang"
	yearLong    = 365 * 24 * time.Hour
)

// preferences keeps theme and language in cookies, so that the server renders
// them and nothing flashes. A form may hold one of them or both.
func (s *Server) preferences(c echo.Context, _ *request) error {
	values, err := form(c)
	if err != nil {
		return err
	}
	if values.Has("theme") && slices.Contains(themes(), values.Get("theme")) {
		if err := s.prefer(c, themeCookie, values.Get("theme")); err != nil {
			return err
		}
	}
	if values.Has("lang") && slices.Contains(s.Words.Languages(), values.Get("lang")) {
		if err := s.prefer(c, langCookie, values.Get("lang")); err != nil {
			return err
		}
	}
	return c.Redirect(http.StatusSeeOther, s.urls.Path(auth.LocalPath(values.Get("return"))))
}

// prefer keeps a preference; an empty one is forgotten.
func (s *Server) prefer(c echo.Context, base, value string) error {
	if value == "" {
		s.jar.Clear(c.Response(), c.Request(), base)
		return nil
	}
	return s.jar.Set(c.Response(), c.Request(), base, value, yearLong)
}

// themes are what Page.Theme may be; "" follows the system.
func themes() []string { return []string{"", "light", "dark"} }

func (s *Server) theme(r *http.Request) string {
	if theme := s.jar.Get(r, themeCookie); slices.Contains(themes(), theme) {
		return theme
	}
	return ""
}

// language is the person's choice, else the browser's.
func (s *Server) language(r *http.Request) string {
	if lang := s.jar.Get(r, langCookie); slices.Contains(s.Words.Languages(), lang) {
		return lang
	}
	return s.Words.Match(r.Header.Get("Accept-Language"))
}

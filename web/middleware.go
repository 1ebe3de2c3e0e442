package web

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// maxBody is larger than any form.
const maxBody = 256 << 10

// identify gives every request an id: the caller's own if it is a sane one.
func (s *Server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := c.Request().Header.Get(echo.HeaderXRequestID)
		if !saneID(id) {
			id = rand.Text()
		}
		c.Response().Header().Set(echo.HeaderXRequestID, id)
		c.SetRequest(c.Request().WithContext(auth.WithRequestID(c.Request().Context(), id)))
		return next(c)
	}
}

func requestID(c echo.Context) string { return auth.RequestID(c.Request().Context()) }

// saneID keeps what callers send from spoiling the log.
func saneID(id string) bool {
	odd := func(r rune) bool {
		return !strings.ContainsRune("-_.:", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}
	return len(id) >= 8 && len(id) <= 128 && !strings.ContainsFunc(id, odd)
}

// secure sets the security headers and turns away what comes from elsewhere.
func (s *Server) secure(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", s.csp())
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set("Cache-Control", "no-store")
		if s.PublicURL.Scheme == "https" {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if target := s.elsewhere(c); target != "" {
			return c.Redirect(http.StatusPermanentRedirect, target)
		}
		if target := s.untidy(c.Request()); target != "" {
			return c.Redirect(http.StatusPermanentRedirect, target)
		}
		if err := s.cross.Check(c.Request()); err != nil {
			return fail.Wrap(err, fail.Forbidden, message.New("web.error.cross-origin"))
		}
		return next(c)
	}
}

// csp is constant once the provider is known: its sign-out page joins
// form-action, which holds for every hop of a form's redirects.
func (s *Server) csp() string {
	form := "'self'"
	if origin := s.Identity.SignOutOrigin(); origin != "" {
		form += " " + origin
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
		"connect-src 'self'; form-action " + form + "; base-uri 'none'; frame-ancestors 'none'"
}

// elsewhere is the public URL of a GET that came to another host name, where
// its cookies would not be sent; empty when it is right here.
func (s *Server) elsewhere(c echo.Context) string {
	r := c.Request()
	if !safe(r) || websocket.IsWebSocketUpgrade(r) || probe(c.Path()) || sameHost(r.Host, s.PublicURL) {
		return ""
	}
	return s.origin() + r.URL.RequestURI()
}

// untidy is the address of a GET without the slashes at its end; empty when there
// are none. It names the portal's own origin, so that "//elsewhere/" leads
// nowhere else.
func (s *Server) untidy(r *http.Request) string {
	local, below := strings.CutPrefix(r.URL.EscapedPath(), s.urls.Prefix+"/")
	if !below || !strings.HasSuffix(local, "/") || !safe(r) || websocket.IsWebSocketUpgrade(r) {
		return ""
	}
	target := s.origin() + s.urls.Path("/"+strings.Trim(local, "/"))
	if r.URL.RawQuery != "" {
		target += "?" + r.URL.RawQuery
	}
	return target
}

func probe(route string) bool {
	return route == "/healthz" || route == "/readyz" || route == "/metrics"
}

// sameHost compares a Host header with u, where a default port may be left out.
func sameHost(host string, u *url.URL) bool {
	port := defaultPort(u.Scheme)
	return strings.EqualFold(strings.TrimSuffix(host, port), strings.TrimSuffix(u.Host, port))
}

// limit keeps bodies to the size of forms and turns panics into errors.
func (s *Server) limit(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			switch fault := recover(); fault {
			case nil:
			case http.ErrAbortHandler:
				panic(fault)
			default:
				err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
			}
		}()
		r := c.Request()
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = http.MaxBytesReader(c.Response(), r.Body, maxBody)
		}
		return next(c)
	}
}

// form reads a request's form.
func form(c echo.Context) (url.Values, error) {
	r := c.Request()
	if err := r.ParseForm(); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, fail.Wrap(err, fail.TooLarge, message.New("web.error.too-large"))
		}
		return nil, fail.Wrap(err, fail.Invalid, message.New("web.error.form"))
	}
	return r.PostForm, nil
}

package web

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/views"
)

// loginLife is how long the cookie of a sign-in under way is kept.
const loginLife = 15 * time.Minute

// maxLogins is how many sign-ins one browser may have under way; the cookies of
// forgotten tabs must not fill the request's headers.
const maxLogins = 8

// login sends the browser to the provider.
func (s *Server) login(c echo.Context, r *request) error {
	if !s.starts.allow(c.Request().RemoteAddr, s.Now()) {
		return fail.New(fail.TooMany, message.New("web.error.too-many"))
	}
	return s.begin(c, auth.NewLogin(r.query.Get("return"), s.Now()))
}

// begin keeps a sign-in in a cookie of its own and redirects to the provider.
func (s *Server) begin(c echo.Context, l auth.Login) error {
	target, err := s.Identity.SignInURL(l)
	if err != nil {
		return err
	}
	s.forgetLogins(c)
	base := auth.LoginCookie(l.State)
	sealed, err := s.Keys.SealLogin(s.jar.Name(base), l)
	if err != nil {
		return err
	}
	if err := s.jar.Set(c.Response(), c.Request(), base, sealed, loginLife); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, target)
}

// forgetLogins clears old sign-ins where there are too many.
func (s *Server) forgetLogins(c echo.Context) {
	var bases []string
	for _, cookie := range c.Request().Cookies() {
		if base, ok := s.jar.Base(cookie.Name); ok && strings.HasPrefix(base, auth.LoginCookie("")) {
			bases = append(bases, base)
		}
	}
	for _, base := range bases[:max(0, len(bases)-maxLogins+1)] {
		s.jar.Clear(c.Response(), c.Request(), base)
	}
}

// callback takes the provider's answer.
func (s *Server) callback(c echo.Context, r *request) error {
	if !s.starts.allow(c.Request().RemoteAddr, s.Now()) {
		return fail.New(fail.TooMany, message.New("web.error.too-many"))
	}
	state := r.query.Get("state")
	base := auth.LoginCookie(state)
	l, ok := s.Keys.OpenLogin(s.jar.Name(base), s.jar.Get(c.Request(), base), state, s.Now())
	r.page.LoginURL = s.urls.Login(auth.LocalPath(l.Return))
	s.jar.Clear(c.Response(), c.Request(), base)
	if !ok {
		return s.staleAnswer(c, r)
	}
	session, err := s.Identity.Finish(c.Request().Context(), l, r.query)
	if errors.Is(err, auth.ErrInteraction) {
		return c.Redirect(http.StatusSeeOther, s.urls.Login(l.Return))
	}
	if err != nil {
		return s.loginFailed(c, r, err)
	}
	if err := s.keep(c, session); err != nil {
		return s.loginFailed(c, r, err)
	}
	s.jar.Clear(c.Response(), c.Request(), retryCookie)
	s.Log.Info("signed in", "user", session.User.Name, "silent", l.Silent, "request", requestID(c))
	return c.Redirect(http.StatusSeeOther, s.urls.Path(auth.LocalPath(l.Return)))
}

// staleAnswer is for an answer whose sign-in is not known: somebody went back
// in the history, or took too long.
func (s *Server) staleAnswer(c echo.Context, r *request) error {
	if r.session.User.Name != "" {
		return c.Redirect(http.StatusSeeOther, s.urls.Path("/"))
	}
	return s.loginFailed(c, r, auth.LoginExpired())
}

// loginFailed is the error page with a link that tries again and leads to where
// the person wanted to go.
func (s *Server) loginFailed(c echo.Context, r *request, err error) error {
	return s.showError(c, r, err)
}

// untilHeader tells a script when it has to renew next.
const untilHeader = "X-Capstan-Session-Until"

// renew is asked by live.js, which can't get a cookie through its socket.
// 204: renewed; 401: sign in again; anything else: try later.
func (s *Server) renew(c echo.Context, r *request) error {
	if r.session.User.Name == "" {
		return c.NoContent(http.StatusUnauthorized)
	}
	renewed, err := s.Identity.Renew(c.Request().Context(), r.session)
	switch {
	case errors.Is(err, auth.ErrNoRefresh), errors.Is(err, auth.ErrOutdated):
		return c.NoContent(http.StatusUnauthorized)
	case err != nil:
		s.Log.Warn("session not renewed", "user", r.user.Name, "request", requestID(c), "error", err)
		return c.NoContent(statusOf(fail.CodeOf(err)))
	}
	if err := s.keep(c, renewed); err != nil {
		return err
	}
	c.Response().Header().Set(untilHeader, s.renewBy(renewed).UTC().Format(time.RFC3339))
	return c.NoContent(http.StatusNoContent)
}

// logout ends the session here and then at the provider.
func (s *Server) logout(c echo.Context, r *request) error {
	s.jar.Clear(c.Response(), c.Request(), sessionCookie)
	s.jar.Clear(c.Response(), c.Request(), retryCookie)
	s.sockets.endSession(r.session.ID)
	target := s.Identity.SignOut()
	if target == "" || r.session.User.Name == "" {
		target = s.urls.Path("/auth/signed-out")
	}
	return c.Redirect(http.StatusSeeOther, target)
}

func (s *Server) signedOut(c echo.Context, r *request) error {
	r.page.User = ""
	r.page.LoginURL = s.urls.Login("/")
	return s.render(c, http.StatusOK, r, views.SignedOut(r.page))
}

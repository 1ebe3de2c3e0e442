package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// The base names of the cookies, see auth.Jar.
const (
	sessionCookie = "session"
	retryCookie   = "retry"
)

// retryLife is how long a 307 to itself may take to come back.
const retryLife = 30 * time.Second

// admit turns a row of the route table into echo's handler.
func (s *Server) admit(r route) echo.HandlerFunc {
	if r.page != nil {
		r.page = s.told(r.page)
	}
	return func(c echo.Context) error {
		if r.page != nil && websocket.IsWebSocketUpgrade(c.Request()) {
			return s.stream(c, r.page)
		}
		session, known := s.session(c.Request())
		if r.need == signedIn {
			var err error
			if session, err = s.fresh(c, session, known); err != nil || c.Response().Committed {
				return err
			}
		}
		req := s.newRequest(c, session)
		if r.page == nil {
			return r.handle(c, req)
		}
		screen, _, err := r.page(req)
		if err != nil {
			return err
		}
		return s.render(c, http.StatusOK, req, screen)
	}
}

// session is the session in the request's cookie.
func (s *Server) session(r *http.Request) (auth.Session, bool) {
	sealed := s.jar.Get(r, sessionCookie)
	return s.Keys.OpenSession(s.jar.Name(sessionCookie), sealed, s.Limits, s.Now())
}

// keep writes the session's cookie.
func (s *Server) keep(c echo.Context, session auth.Session) error {
	sealed, err := s.Keys.SealSession(s.jar.Name(sessionCookie), session, s.Limits)
	if err != nil {
		return err
	}
	life := s.Limits.Ends(session).Sub(s.Now())
	if err := s.jar.Set(c.Response(), c.Request(), sessionCookie, sealed, life); err != nil {
		return fail.Wrap(err, fail.Forbidden, message.New("login.too-large"))
	}
	return nil
}

// fresh gives a session that the provider vouched for lately. Where it has to
// send the browser elsewhere, the response is committed and the error nil.
func (s *Server) fresh(c echo.Context, session auth.Session, known bool) (auth.Session, error) {
	if !known {
		return session, s.signIn(c)
	}
	if !s.Limits.Stale(session, s.Now()) {
		return session, nil
	}
	renewed, err := s.Identity.Renew(c.Request().Context(), session)
	switch {
	case err == nil:
		return renewed, s.keep(c, renewed)
	case errors.Is(err, auth.ErrNoRefresh) && safe(c.Request()):
		return session, s.begin(c, auth.NewLogin(s.localPath(c.Request()), s.Now()).Renewing(session))
	case errors.Is(err, auth.ErrNoRefresh):
		return session, nil // the next click on a link asks the provider
	case errors.Is(err, auth.ErrOutdated):
		s.Log.Info("session not renewed", "user", session.User.Name, "error", err)
		return session, s.tryAgain(c)
	default:
		return session, err
	}
}

// signIn answers a request without a session: a page is come back to, a form
// never redirects, since the CSP would silently stop it at the provider.
func (s *Server) signIn(c echo.Context) error {
	if safe(c.Request()) {
		return c.Redirect(http.StatusSeeOther, s.urls.Login(auth.LocalPath(s.localPath(c.Request()))))
	}
	return fail.New(fail.Unauthorized, message.New("web.error.unauthorized"))
}

// tryAgain sends a GET once to itself: another tab may have renewed the session
// meanwhile, then the browser comes back with a newer cookie. The same cookie
// twice means that the session is over.
func (s *Server) tryAgain(c echo.Context) error {
	if !safe(c.Request()) {
		return s.signIn(c) // and leave the cookie, it may be a newer one by now
	}
	mark := fingerprint(s.jar.Get(c.Request(), sessionCookie))
	if s.jar.Get(c.Request(), retryCookie) != mark {
		if err := s.jar.Set(c.Response(), c.Request(), retryCookie, mark, retryLife); err != nil {
			return err
		}
		return c.Redirect(http.StatusTemporaryRedirect, s.urls.Path(s.localPath(c.Request())))
	}
	s.jar.Clear(c.Response(), c.Request(), sessionCookie)
	s.jar.Clear(c.Response(), c.Request(), retryCookie)
	return s.signIn(c)
}

func fingerprint(sealed string) string {
	sum := sha256.Sum256([]byte(sealed))
	return hex.EncodeToString(sum[:8])
}

// safe says whether a request only reads.
func safe(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// renewBy is when live.js has to have renewed the session: when the provider's
// word gets old, or where that can't be had in the background, when it ends.
func (s *Server) renewBy(session auth.Session) time.Time {
	ends := s.Limits.Expires(session)
	if session.Refresh == "" {
		return ends
	}
	if stale := s.Limits.StaleAt(session); stale.Before(ends) {
		return stale
	}
	return ends
}

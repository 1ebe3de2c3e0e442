// Package web is the portal's HTTP side.
//
// A request passes the middleware (request id, log, headers, limits), finds
// its row in the route table (routes.go), gets its session, and reaches a
// handler that reads from Fleet, builds a views.Screen and renders it; errors
// go to the one handler in errors.go. A page is a function from request to
// screen: the same function answers the GET and, on the same path, the
// websocket that keeps the page live (live.go). web alone knows echo and
// websockets; it keeps no state but the open sockets.
package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/static"
	"github.com/capstan-portal/capstan/views"
)

// Identity is what the handlers need of the identity provider; auth.Provider
// is the real one. Errors are *fail.Error or auth's sentinels.
type Identity interface {
	// SignInURL is where the browser goes to sign in.
	SignInURL(l auth.Login) (string, error)
	// Finish turns the provider's answer into a session.
	Finish(ctx context.Context, l auth.Login, answer url.Values) (auth.Session, error)
	// Renew asks the provider whether a session still holds.
	Renew(ctx context.Context, s auth.Session) (auth.Session, error)
	// SignOut is where the provider's own session ends, SignOutOrigin its
	// origin; both are empty when there is no such place.
	SignOut() string
	SignOutOrigin() string
}

// Deps is everything the server is made of. What is marked optional has a
// working zero value.
type Deps struct {
	Fleet       Fleet
	Identity    Identity
	Keys        *auth.Keyring
	Words       *message.Catalogue
	PublicURL   *url.URL             // scheme, host and path prefix as browsers see them
	Limits      auth.Limits          // optional
	MaxReplicas int                  // optional: topology.DefaultMax
	Contact     string               // optional: whom people ask for rights
	Ready       func() bool          // optional: whether reads can be answered
	Log         *slog.Logger         // optional
	Now         func() time.Time     // optional
	Registry    *prometheus.Registry // optional: where /metrics come from
	Pace        Pace                 // optional
}

// Server answers all of the portal's requests.
type Server struct {
	Deps
	echo       *echo.Echo
	urls       views.URLs
	jar        auth.Jar
	cross      *http.CrossOriginProtection
	metrics    *metrics
	sockets    *sockets
	renderings *renderings
	starts     *throttle
	templates  *templates

	checkers *checkers
}

// New makes a Server; it starts nothing.
func New(d Deps) (*Server, error) {
	s := &Server{Deps: d.withDefaults()}
	s.urls = views.URLs{Prefix: s.PublicURL.Path, Asset: static.URL}
	s.jar = auth.NewJar(s.PublicURL)
	s.sockets = newSockets()
	s.renderings = newRenderings()
	s.starts = newThrottle()
	s.templates = newTemplates()
	s.checkers = newCheckers()
	s.cross = http.NewCrossOriginProtection()
	if err := s.cross.AddTrustedOrigin(s.origin()); err != nil {
		return nil, err
	}
	var err error
	if s.metrics, err = newMetrics(s.Registry); err != nil {
		return nil, err
	}
	s.echo = s.router()
	return s, nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.echo.ServeHTTP(w, r) }

// Shutdown tells all open pages that the portal restarts, closes their sockets
// and waits until they are gone or ctx ends. http.Server.Shutdown does not know
// of sockets.
func (s *Server) Shutdown(ctx context.Context) { s.sockets.shutdown(ctx) }

// origin is the public URL's scheme and host as browsers write them in Origin:
// without a default port.
func (s *Server) origin() string {
	return s.PublicURL.Scheme + "://" + strings.TrimSuffix(s.PublicURL.Host, defaultPort(s.PublicURL.Scheme))
}

func defaultPort(scheme string) string {
	if scheme == "http" {
		return ":80"
	}
	return ":443"
}

func (d Deps) withDefaults() Deps {
	if d.MaxReplicas <= 0 {
		d.MaxReplicas = topology.DefaultMax
	}
	if d.Ready == nil {
		d.Ready = func() bool { return true }
	}
	if d.Log == nil {
		d.Log = slog.Default()
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Registry == nil {
		d.Registry = prometheus.NewRegistry()
	}
	d.Pace = d.Pace.withDefaults()
	return d
}

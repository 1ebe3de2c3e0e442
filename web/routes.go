package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/static"
)

// permission is who may reach a route at all. What somebody may do with a
// cluster is decided by the management cluster, with the person's own eyes.
type permission int

const (
	anyone permission = iota
	signedIn
)

// handler answers a request of the route table.
type handler func(c echo.Context, r *request) error

// route is one row of the route table: either a page, which is also live under
// the same path, or a handler.
type route struct {
	method, path string
	need         permission
	page         page
	handle       handler
}

// routes is the route table; paths are below the prefix.
func (s *Server) routes() []route {
	return []route{
		{http.MethodGet, "/", signedIn, s.clusters, nil},
		{http.MethodGet, "/clusters/:namespace/:name", signedIn, s.cluster, nil},
		{http.MethodGet, "/clusters/:namespace/:name/scale/:kind/:pool", signedIn, nil, s.scaleAgain},
		{http.MethodPost, "/clusters/:namespace/:name/scale/:kind/:pool", signedIn, nil, s.scale},
		{http.MethodGet, "/catalog", signedIn, s.catalog, nil},
		{http.MethodGet, "/catalog/:namespace/:name", signedIn, s.class, nil},
		{http.MethodGet, "/create", signedIn, s.createChoice, nil},
		{http.MethodGet, "/create/manifest", signedIn, nil, s.pasteForm},
		{http.MethodPost, "/create/manifest", signedIn, nil, s.paste},
		{http.MethodGet, "/create/:namespace/:name", signedIn, nil, s.createForm},
		{http.MethodPost, "/create/:namespace/:name", signedIn, nil, s.create},
		{http.MethodGet, "/me", signedIn, s.me, nil},

		{http.MethodGet, "/auth/login", anyone, nil, s.login},
		{http.MethodGet, "/auth/callback", anyone, nil, s.callback},
		{http.MethodPost, "/auth/renew", anyone, nil, s.renew},
		{http.MethodPost, "/auth/logout", anyone, nil, s.logout},
		{http.MethodGet, "/auth/signed-out", anyone, nil, s.signedOut},

		{http.MethodPost, "/notices", signedIn, nil, s.dismiss},
		{http.MethodPost, "/preferences", anyone, nil, s.preferences},
	}
}

// router joins the route table, the assets and the probes. Probes and metrics
// stand at the root even below a prefix: they are for the Pod's neighbours.
func (s *Server) router() *echo.Echo {
	e := echo.New()
	e.HTTPErrorHandler = s.handleError
	e.Use(s.identify, s.observe, s.secure, s.limit)

	e.GET("/healthz", s.healthz)
	e.GET("/readyz", s.readyz)
	e.GET("/metrics", s.metrics.handler())

	base := s.urls.Prefix
	assets := echo.WrapHandler(http.StripPrefix(base, static.Handler()))
	e.GET(base+"/static/*", assets)
	e.HEAD(base+"/static/*", assets)
	for _, r := range s.routes() {
		h := s.admit(r)
		e.Add(r.method, base+r.path, h)
		if r.method == http.MethodGet {
			e.HEAD(base+r.path, h)
		}
	}
	if base != "" {
		e.GET(base, func(c echo.Context) error { return c.Redirect(http.StatusPermanentRedirect, base+"/") })
	}
	return e
}

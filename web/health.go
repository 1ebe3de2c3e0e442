package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// healthz says that the process answers.
func (s *Server) healthz(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// readyz says whether reads can be answered: the caches are filled and the
// portal is not going down. The identity provider does not count, pages say so.
func (s *Server) readyz(c echo.Context) error {
	if !s.Ready() || s.sockets.closing() {
		return c.String(http.StatusServiceUnavailable, "not ready\n")
	}
	return c.String(http.StatusOK, "ok\n")
}

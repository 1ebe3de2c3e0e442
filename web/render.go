package web

import (
	"bytes"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/views"
)

// render writes a whole page. It is put together in memory first, so that an
// error while rendering can still become a proper page.
func (s *Server) render(c echo.Context, status int, r *request, screen views.Screen) error {
	return s.write(c, status, views.Layout(r.page, screen))
}

// write renders one component as the answer.
func (s *Server) write(c echo.Context, status int, body templ.Component) error {
	buffer := templ.GetBuffer()
	defer templ.ReleaseBuffer(buffer)
	if err := body.Render(c.Request().Context(), buffer); err != nil {
		return err
	}
	c.Response().Header().Add("Vary", "Cookie, Accept-Language")
	return c.HTMLBlob(status, bytes.Clone(buffer.Bytes()))
}

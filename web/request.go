package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// page builds a screen and names what it depends on, also when it fails. It
// answers GETs and feeds the page's socket alike, so it reads nothing of the
// HTTP request itself.
type page func(r *request) (views.Screen, []topology.Topic, error)

// request is what a page is built from.
type request struct {
	ctx     context.Context
	session auth.Session // zero when nobody is signed in
	user    auth.User
	param   func(name string) string
	query   url.Values
	page    views.Page
	live    bool   // built for the socket
	told    string // ids of the notices that were put away
}

// newRequest reads what every page needs; session may be zero.
func (s *Server) newRequest(c echo.Context, session auth.Session) *request {
	local := s.localPath(c.Request())
	r := &request{
		ctx: c.Request().Context(), session: session, user: session.User,
		param: c.Param, query: c.QueryParams(), told: s.jar.Get(c.Request(), toldCookie),
		page: views.Page{
			URLs: s.urls, Path: local, Lang: s.language(c.Request()), Theme: s.theme(c.Request()),
			User: session.User.Display, Request: requestID(c),
		},
	}
	r.page.Say = s.Words.Printer(r.page.Lang)
	if session.User.Name == "" {
		r.page.LoginURL = s.urls.Login(auth.LocalPath(local))
	} else {
		r.page.Session = s.renewBy(session)
	}
	s.refresh(r)
	return r
}

// refresh brings what changes with time up to date.
func (s *Server) refresh(r *request) {
	r.page.Now = s.Now()
	r.page.Lost = time.Time{}
	if link := s.Fleet.Connection(); link.Lost {
		r.page.Lost = link.Since
	}
}

// localPath is the path and query of req without the prefix.
func (s *Server) localPath(req *http.Request) string {
	path := strings.TrimPrefix(req.URL.EscapedPath(), s.urls.Prefix)
	if !strings.HasPrefix(path, "/") {
		path = "/"
	}
	if req.URL.RawQuery != "" {
		path += "?" + req.URL.RawQuery
	}
	return path
}

// validName says whether Kubernetes takes it as the name of a namespace, a
// cluster or a pool (RFC 1123: letters, digits, dashes, dots).
func validName(name string) bool {
	odd := func(r rune) bool {
		return r != '-' && r != '.' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}
	return name != "" && len(name) <= 253 && !strings.ContainsFunc(name, odd)
}

// ref is the cluster that the path names.
func (r *request) ref() (topology.Ref, error) {
	ref := topology.Ref{Namespace: r.param("namespace"), Name: r.param("name")}
	if !validName(ref.Namespace) || !validName(ref.Name) {
		return ref, notFound()
	}
	return ref, nil
}

func notFound() *fail.Error { return fail.New(fail.NotFound, message.New("web.error.not-found")) }

package web

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// toldCookie holds the ids of the notices that the person has put away.
const (
	toldCookie = "told"
	toldTime   = 2 * time.Hour
	toldLimit  = 12
)

// told adds to a page how the person's own changes ended elsewhere: on every
// live page, but for the cluster that the page itself is about.
func (s *Server) told(build page) page {
	return func(r *request) (views.Screen, []topology.Topic, error) {
		screen, topics, err := build(r)
		if err != nil || len(screen.Regions) == 0 {
			return screen, topics, err
		}
		outcomes, refs, err := s.Fleet.Outcomes(r.ctx, r.user)
		if err != nil {
			s.Log.Warn("no notices", "user", r.user.Name, "error", err)
		}
		outcomes = slices.DeleteFunc(slices.Clone(outcomes), func(o topology.Outcome) bool {
			return slices.Contains(topics, topology.Topic{Ref: o.Ref})
		})
		for _, ref := range refs {
			if t := (topology.Topic{Ref: ref}); !slices.Contains(topics, t) {
				topics = append(topics, t)
			}
		}
		return views.WithNotices(r.page, screen, outcomes, strings.Split(r.told, ".")), topics, nil
	}
}

// dismiss puts a notice away, in this browser.
func (s *Server) dismiss(c echo.Context, r *request) error {
	values, err := form(c)
	if err != nil {
		return err
	}
	if id := values.Get("id"); validName(id) && len(id) <= 32 && !strings.Contains(id, ".") {
		ids := append(strings.FieldsFunc(r.told, func(c rune) bool { return c == '.' }), id)
		ids = ids[max(0, len(ids)-toldLimit):]
		if err := s.jar.Set(c.Response(), c.Request(), toldCookie, strings.Join(ids, "."), toldTime); err != nil {
			return err
		}
	}
	return c.Redirect(http.StatusSeeOther, s.urls.Path(auth.LocalPath(values.Get("return"))))
}

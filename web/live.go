package web

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// buildTime is how long one rebuild of a page may take.
const buildTime = 15 * time.Second

// live keeps one open page up to date: whenever something it depends on
// changed, it builds the whole screen anew, with the eyes of the person, and
// sends the regions whose bytes are others than before. A change that comes
// while it works only marks it dirty, so a slow browser costs no memory.
type live struct {
	server *Server
	socket *socket
	build  page
	req    *request

	sent  map[string]uint64 // hash by region, as the browser has it
	order []string
	lost  bool
}

// stream answers the websocket of a page. A browser can't see why an upgrade
// was refused, so refusals are told through the open socket.
func (s *Server) stream(c echo.Context, build page) error {
	session, known := s.session(c.Request())
	conn, err := s.upgrader().Upgrade(c.Response(), c.Request(), nil)
	if err != nil {
		s.Log.Info("socket refused", "request", requestID(c), "error", err)
		return nil // it has been answered
	}
	c.Response().Status, c.Response().Committed = http.StatusSwitchingProtocols, true
	k := newSocket(conn, s.Pace, session)
	if !known {
		k.close(byeSession())
		return nil
	}
	if refusal, ok := s.sockets.add(k); !ok {
		k.close(refusal)
		return nil
	}
	defer s.sockets.remove(k)
	s.metrics.sockets.Inc()
	defer s.metrics.sockets.Dec()
	req := s.newRequest(c, session)
	req.live = true
	l := &live{server: s, socket: k, build: build, req: req}
	k.close(l.run(c.Request().Context()))
	return nil
}

// run lasts as long as the page is open. It subscribes before the build that
// is sent first, so there is no gap between page and socket.
func (l *live) run(ctx context.Context) farewell {
	first := l.rendering(ctx)
	if bye, over := verdict(first.err); over {
		return bye
	}
	changes := l.server.Fleet.Subscribe(l.req.user, first.topics...)
	defer changes.Close()
	beat := time.NewTicker(l.socket.pace.Beat)
	defer beat.Stop()
	ends := time.NewTimer(l.lease())
	defer ends.Stop()
	quiet := time.NewTimer(0) // when the next push may be made
	defer quiet.Stop()
	waiting, dirty := true, true
	for {
		select {
		case <-l.socket.gone:
			return byeNone()
		case bye := <-l.socket.end:
			return bye
		case <-ends.C:
			return byeSession()
		case <-beat.C:
			if l.beat() != nil {
				return byeNone()
			}
		case <-changes.Wake():
			dirty = true
		case <-quiet.C:
			waiting = false
		}
		if waiting || !dirty {
			continue
		}
		done, bye := l.push(ctx)
		if bye != nil {
			return *bye
		}
		dirty, waiting = !done, true
		quiet.Reset(l.pause(done))
	}
}

// pause is until the next push may be made.
func (l *live) pause(done bool) time.Duration {
	if done {
		return l.socket.pace.Window
	}
	return l.socket.pace.Retry
}

// lease is how long this socket may live on the session it was opened with:
// live.js renews the session and opens a new one before that.
func (l *live) lease() time.Duration {
	s := l.server
	until, ends := s.renewBy(l.req.session).Add(l.socket.pace.Grace), s.Limits.Expires(l.req.session)
	if ends.Before(until) {
		until = ends
	}
	return until.Sub(s.Now())
}

func (l *live) beat() error {
	if _, err := l.socket.send(frame{T: "beat", At: l.server.Now()}); err != nil {
		return err
	}
	return l.socket.ping()
}

// rendering is the page as it is now, built here or by an equal page. The end
// of this page doesn't end a build that others wait for.
func (l *live) rendering(ctx context.Context) *rendering {
	s := l.server
	s.refresh(l.req)
	key := renderingKey{l.req.user.Key(), l.req.page.User, l.req.page.Path, l.req.page.Lang, l.req.told, l.req.page.Lost}
	return s.renderings.share(key, s.Fleet.Version(), l.socket.pace.Window, func() (views.Screen, []topology.Topic, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), buildTime)
		defer cancel()
		l.req.ctx = ctx
		return l.build(l.req)
	})
}

// verdict says whether a failed build is the end of the page: it was deleted,
// or the right to see it was taken away. Other failures pass.
func verdict(err error) (farewell, bool) {
	switch fail.CodeOf(err) {
	case fail.NotFound, fail.Forbidden:
		return byeGone(), true
	}
	return farewell{}, false
}

// push sends what changed. It is not done when the build failed: the page then
// keeps what it has, and it is tried again.
func (l *live) push(ctx context.Context) (done bool, bye *farewell) {
	none := byeNone()
	if l.tellConnection() != nil {
		return false, &none
	}
	page := l.rendering(ctx)
	if bye, over := verdict(page.err); over {
		return false, &bye
	}
	if page.err != nil {
		l.server.Log.Warn("page not refreshed", "path", l.req.page.Path, "user", l.req.user.Name, "error", page.err)
		return false, nil
	}
	out := l.changed(page)
	if out.T == "" {
		return true, nil
	}
	n, err := l.socket.send(out)
	if err != nil {
		return false, &none
	}
	l.server.metrics.pushes.Inc()
	l.server.metrics.bytes.Add(float64(n))
	return true, nil
}

// changed is the frame with the regions whose bytes differ from what the
// browser has; the zero frame when none do. The first frame is never zero.
func (l *live) changed(page *rendering) frame {
	out := frame{T: "regions", At: l.server.Now()}
	var html strings.Builder
	now := make(map[string]uint64, len(page.regions))
	for _, region := range page.regions {
		now[region.id] = region.hash
		if before, known := l.sent[region.id]; !known || before != region.hash {
			html.Write(region.html)
		}
	}
	for id := range l.sent {
		if _, stays := now[id]; !stays {
			out.Gone = append(out.Gone, id)
		}
	}
	slices.Sort(out.Gone)
	out.HTML, out.Order = html.String(), l.newOrder(page.order)
	first := l.sent == nil
	out.Whole = first
	l.sent = now
	if !first && out.HTML == "" && out.Gone == nil && out.Order == nil {
		return frame{}
	}
	return out
}

// newOrder is the order if it differs from before: nil for a page without a
// table, but not for a table that has become empty.
func (l *live) newOrder(order []string) []string {
	if l.sent != nil && slices.Equal(order, l.order) {
		return nil
	}
	had := l.order != nil
	l.order = order
	if order == nil && !had {
		return nil
	}
	return append([]string{}, order...)
}

// tellConnection says so when the portal itself loses or regains the
// management cluster.
func (l *live) tellConnection() error {
	link := l.server.Fleet.Connection()
	if link.Lost == l.lost {
		return nil
	}
	l.lost = link.Lost
	out := frame{T: "found"}
	if link.Lost {
		out = frame{T: "lost", Since: link.Since}
	}
	_, err := l.socket.send(out)
	return err
}

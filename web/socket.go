package web

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/capstan-portal/capstan/internal/auth"
)

// Pace is the rhythm of sockets. Zero values take the defaults.
type Pace struct {
	Window  time.Duration // between two pushes to one page; 200 ms
	Beat    time.Duration // between two heartbeats; 15 s
	Retry   time.Duration // after a read that failed; 5 s
	Write   time.Duration // how long a write may take; 10 s
	Pong    time.Duration // how long a browser may be silent; 60 s
	Grace   time.Duration // for live.js to renew a session; 1 min
	PerUser int           // sockets of one person; 50
}

func (p Pace) withDefaults() Pace {
	for value, preset := range map[*time.Duration]time.Duration{
		&p.Window: 200 * time.Millisecond, &p.Beat: 15 * time.Second, &p.Retry: 5 * time.Second,
		&p.Write: 10 * time.Second, &p.Pong: time.Minute, &p.Grace: time.Minute,
	} {
		if *value <= 0 {
			*value = preset
		}
	}
	if p.PerUser <= 0 {
		p.PerUser = 50
	}
	return p
}

// Why a socket is closed by the portal; live.js acts on it.
type farewell struct {
	why  string // of the bye frame; empty: none is sent
	code int    // of the close frame
}

// The farewells. 4401 tells that the session is over, 4404 that the page is.
func byeSession() farewell { return farewell{"session", 4401} }
func byeGone() farewell    { return farewell{"gone", 4404} }
func byeRestart() farewell { return farewell{"restart", websocket.CloseGoingAway} }
func byeCrowd() farewell   { return farewell{"", websocket.CloseTryAgainLater} }
func byeNone() farewell    { return farewell{} }

// frame is one message to the browser. T is "regions", "beat", "lost", "found"
// or "bye".
type frame struct {
	T     string    `json:"t"`
	At    time.Time `json:"at,omitzero"`
	HTML  string    `json:"html,omitempty"`  // changed regions, one after the other
	Whole bool      `json:"whole,omitempty"` // the HTML has all regions that there are
	Gone  []string  `json:"gone,omitempty"`  // ids of regions that are no more
	Order []string  `json:"order,omitzero"`  // keys of the table's rows; absent: as before
	Since time.Time `json:"since,omitzero"`  // of "lost"
	Why   string    `json:"why,omitempty"`   // of "bye": session, gone or restart
}

// socket is one open page. Only its own goroutine writes; a second one reads,
// so that pongs and the close are seen.
type socket struct {
	conn    *websocket.Conn
	pace    Pace
	user    string
	session string
	end     chan farewell   // capacity 1: somebody else wants it closed
	gone    <-chan struct{} // closed when the browser has gone
}

func (s *Server) upgrader() *websocket.Upgrader {
	return &websocket.Upgrader{
		HandshakeTimeout: 10 * time.Second,
		ReadBufferSize:   512,
		WriteBufferSize:  4096,
		// Browsers always send Origin; whoever sends none is none.
		CheckOrigin: func(r *http.Request) bool { return strings.EqualFold(r.Header.Get("Origin"), s.origin()) },
	}
}

func newSocket(conn *websocket.Conn, pace Pace, session auth.Session) *socket {
	gone := make(chan struct{})
	k := &socket{conn: conn, pace: pace, user: session.User.Name, session: session.ID,
		end: make(chan farewell, 1), gone: gone}
	go k.read(gone)
	return k
}

// read drops whatever comes: there are no commands over the socket.
func (k *socket) read(gone chan<- struct{}) {
	defer close(gone)
	k.conn.SetReadLimit(512)
	alive := func(string) error { return k.conn.SetReadDeadline(time.Now().Add(k.pace.Pong)) }
	k.conn.SetPongHandler(alive)
	if alive("") != nil {
		return
	}
	for {
		if _, _, err := k.conn.NextReader(); err != nil {
			return
		}
	}
}

// send writes one frame; an error means that the browser has gone or is too
// slow to be kept.
func (k *socket) send(f frame) (int, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(f); err != nil {
		return 0, err
	}
	if err := k.conn.SetWriteDeadline(time.Now().Add(k.pace.Write)); err != nil {
		return 0, err
	}
	return b.Len(), k.conn.WriteMessage(websocket.TextMessage, b.Bytes())
}

func (k *socket) ping() error {
	return k.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(k.pace.Write))
}

// close says farewell and waits a moment for the browser's own close, since
// closing at once could make the last frames get lost.
func (k *socket) close(f farewell) {
	if f.why != "" {
		if _, err := k.send(frame{T: "bye", Why: f.why}); err != nil {
			f.code = 0
		}
	}
	if f.code != 0 {
		message := websocket.FormatCloseMessage(f.code, f.why)
		if k.conn.WriteControl(websocket.CloseMessage, message, time.Now().Add(time.Second)) == nil {
			select {
			case <-k.gone:
			case <-time.After(time.Second):
			}
		}
	}
	_ = k.conn.Close()
	<-k.gone
}

// sockets knows all open sockets.
type sockets struct {
	mu    sync.Mutex
	open  map[*socket]struct{}
	users map[string]int
	down  bool
	empty chan struct{} // closed when down and the last one has gone
}

func newSockets() *sockets {
	return &sockets{open: map[*socket]struct{}{}, users: map[string]int{}, empty: make(chan struct{})}
}

// add registers k, or says why it can't stay.
func (all *sockets) add(k *socket) (farewell, bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.down {
		return byeRestart(), false
	}
	if all.users[k.user] >= k.pace.PerUser {
		return byeCrowd(), false
	}
	all.open[k] = struct{}{}
	all.users[k.user]++
	return farewell{}, true
}

func (all *sockets) remove(k *socket) {
	all.mu.Lock()
	defer all.mu.Unlock()
	delete(all.open, k)
	if all.users[k.user]--; all.users[k.user] <= 0 {
		delete(all.users, k.user)
	}
	if all.down && len(all.open) == 0 {
		close(all.empty)
	}
}

// endSession closes the sockets of one session.
func (all *sockets) endSession(id string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for k := range all.open {
		if id != "" && k.session == id {
			k.leave(byeSession())
		}
	}
}

func (k *socket) leave(f farewell) {
	select {
	case k.end <- f:
	default: // it is leaving already
	}
}

func (all *sockets) closing() bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	return all.down
}

func (all *sockets) shutdown(ctx context.Context) {
	all.mu.Lock()
	if !all.down {
		all.down = true
		if len(all.open) == 0 {
			close(all.empty)
		}
		for k := range all.open {
			k.leave(byeRestart())
		}
	}
	all.mu.Unlock()
	select {
	case <-all.empty:
	case <-ctx.Done():
	}
}

package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/capstan-portal/capstan/internal/topology"
)

func TestSocketOrigin(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	for _, origin := range []string{"", "http://evil.example", "https://" + p.PublicURL.Host, "null"} {
		_, res, err := p.dial("/", origin)
		if err == nil || res == nil || res.StatusCode != http.StatusForbidden {
			t.Errorf("origin %q: %v", origin, err)
		}
	}
}

func TestSocketBegins(t *testing.T) {
	p := start(t, "/capstan", nil)
	page := p.signIn()
	f := p.open("/").next()
	if f.T != "regions" || !f.Whole || len(f.Order) != 2 || f.At.IsZero() {
		t.Fatalf("got %+v", f)
	}
	// What the socket sends is what the page holds, byte by byte.
	for _, row := range []string{"row-uid-one", "row-uid-two"} {
		want, err := page.find(t, "#"+row).Html()
		if err != nil {
			t.Fatal(err)
		}
		sent := answer{body: "<table>" + f.HTML + "</table>"}
		if got, _ := sent.find(t, "#"+row).Html(); got == "" || got != want {
			t.Errorf("%s differs:\n%s\n%s", row, got, want)
		}
	}
}

func TestOnlyChangedRegionsAreSent(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	o := p.open("/")
	o.next()
	p.fleet.change("two", func(c *topology.Cluster) { c.Version = "v1.36.0" })
	f := o.next()
	if f.T != "regions" || f.Whole || !strings.Contains(f.HTML, "row-uid-two") || strings.Contains(f.HTML, "row-uid-one") || f.Order != nil {
		t.Errorf("got %+v", f)
	}
	p.fleet.wake()
	p.fleet.change("two", func(c *topology.Cluster) { c.ResourceVersion = "8" })
	o.nothing()
}

func TestRowsComeAndGo(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	o := p.open("/")
	o.next()
	p.fleet.do(func() {
		c := cannedCluster("three")
		p.fleet.clusters[c.Ref] = c
	})
	if f := o.next(); len(f.Order) != 3 || !strings.Contains(f.HTML, "row-uid-three") {
		t.Errorf("new row: %+v", f)
	}
	p.fleet.do(func() { clear(p.fleet.clusters) })
	if f := o.next(); len(f.Gone) != 3 || f.Order == nil || len(f.Order) != 0 {
		t.Errorf("no rows: %+v", f)
	}
}

func TestNothingIsMissedAtConnect(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	for i := range 20 {
		o := p.open("/clusters/team-a/one")
		version := fmt.Sprintf("v1.40.%d", i)
		p.fleet.change("one", func(c *topology.Cluster) { c.Version = version })
		for !strings.Contains(o.next().HTML, version) {
		}
		_ = o.conn.Close()
	}
	wait(t, "all subscriptions end", func() bool { return p.fleet.subscribers() == 0 })
}

func TestBeats(t *testing.T) {
	p := start(t, "", func(d *Deps) { d.Pace.Beat = 30 * time.Millisecond })
	p.signIn()
	o := p.open("/")
	o.next()
	for range 3 {
		if f := o.next(); f.T != "beat" || f.At.IsZero() {
			t.Fatalf("got %+v", f)
		}
	}
}

func TestLostAndFound(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	o := p.open("/")
	o.next()
	since := time.Now()
	p.fleet.do(func() { p.fleet.link = topology.Connection{Lost: true, Since: since} })
	if f := o.next(); f.T != "lost" || !f.Since.Equal(since) {
		t.Fatalf("got %+v", f)
	}
	p.fleet.do(func() { p.fleet.link = topology.Connection{} })
	if f := o.next(); f.T != "found" {
		t.Errorf("got %+v", f)
	}
}

func TestFailedReadIsTriedAgain(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	o := p.open("/")
	o.next()
	p.fleet.do(func() { p.fleet.broken = errors.New("not now") })
	wait(t, "the failure is logged", func() bool { return strings.Contains(p.log.String(), "not now") })
	p.fleet.mu.Lock()
	p.fleet.broken = nil
	c := p.fleet.clusters[topology.Ref{Namespace: "team-a", Name: "one"}]
	c.Version = "v1.99.0"
	p.fleet.clusters[c.Ref] = c
	p.fleet.mu.Unlock() // and no wake: the socket comes back by itself
	if f := o.next(); !strings.Contains(f.HTML, "v1.99.0") {
		t.Errorf("got %+v", f)
	}
}

func TestSlowReaderHoldsUpNobody(t *testing.T) {
	p := start(t, "", func(d *Deps) { d.Pace.Write = 300 * time.Millisecond; d.Pace.Window = time.Millisecond })
	p.signIn()
	slow := p.open("/clusters/team-a/one") // never reads
	quick := p.open("/clusters/team-a/one")
	quick.next()
	long := strings.Repeat("x", 200_000)
	for i := 0; p.fleet.subscribers() == 2; i++ {
		if i == 1000 {
			t.Fatal("the slow one is kept")
		}
		version := fmt.Sprintf("v1.50.%d", i)
		p.fleet.change("one", func(c *topology.Cluster) {
			c.Version, c.Endpoint = version, long+version
		})
		for !strings.Contains(quick.next().HTML, version) {
		}
	}
	_ = slow.conn.Close()
}

func TestSocketsOfOnePersonAreLimited(t *testing.T) {
	p := start(t, "", func(d *Deps) { d.Pace.PerUser = 2 })
	p.signIn()
	first := p.open("/")
	first.next()
	p.open("/").next()
	third := p.open("/")
	_ = third.conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	if _, _, err := third.conn.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseTryAgainLater) {
		t.Errorf("got %v", err)
	}
	_ = first.conn.Close()
	wait(t, "the place is free again", func() bool { return p.fleet.subscribers() == 1 })
	p.open("/").next()
}

func TestLargeMessageEndsTheSocket(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	o := p.open("/")
	o.next()
	if err := o.conn.WriteMessage(websocket.TextMessage, []byte(strings.Repeat("x", 600))); err != nil {
		t.Fatal(err)
	}
	wait(t, "the socket ends", func() bool { return p.fleet.subscribers() == 0 })
}

func TestPushesAreMerged(t *testing.T) {
	p := start(t, "", func(d *Deps) { d.Pace.Window = 200 * time.Millisecond })
	p.signIn()
	o := p.open("/clusters/team-a/one")
	o.next()
	go func() {
		for i := range 100 {
			p.fleet.change("one", func(c *topology.Cluster) { c.Version = fmt.Sprintf("v1.60.%d", i) })
		}
	}()
	frames := 0
	for began := time.Now(); ; frames++ {
		if strings.Contains(o.next().HTML, "v1.60.99") {
			break
		}
		if time.Since(began) > 5*time.Second {
			t.Fatal("the last state never came")
		}
	}
	if frames > 3 {
		t.Errorf("%d frames for one burst", frames)
	}
}

func TestDraftStaysLive(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	q := url.Values{"pool": {"md-0"}, "kind": {"machine-deployment"}, "replicas": {"8"}}
	o := p.open("/clusters/team-a/one?" + q.Encode())
	if f := o.next(); f.T != "regions" || f.HTML == "" {
		t.Errorf("got %+v", f)
	}
	if len(p.fleet.wishes()) != 0 {
		t.Error("a socket asked admission")
	}
}

package web

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/capstan-portal/capstan/internal/auth"
)

func TestRevokedIsGone(t *testing.T) {
	for name, revoke := range map[string]func(*fakeFleet){
		"right taken away": func(f *fakeFleet) { f.readers["oidc:ada"] = false },
		"deleted":          func(f *fakeFleet) { clear(f.clusters) },
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, "", nil)
			p.signIn()
			o := p.open("/clusters/team-a/one")
			o.next()
			p.fleet.do(func() { revoke(p.fleet) })
			o.closed("gone", 4404)
		})
	}
}

func TestSocketOfAnUnreadableClusterIsGone(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	p.open("/clusters/team-a/none").closed("gone", 4404)
}

func TestSocketWithoutSession(t *testing.T) {
	p := start(t, "", nil)
	p.open("/").closed("session", 4401)
}

func TestSessionEndsUnderASocket(t *testing.T) {
	p := start(t, "", func(d *Deps) {
		d.Limits = auth.Limits{Idle: 2 * time.Second, Max: 2 * time.Second, RenewAfter: time.Second}
	})
	p.signIn()
	o := p.open("/")
	o.next()
	o.closed("session", 4401)
}

func TestSignOutEndsSockets(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	o := p.open("/")
	o.next()
	p.post("/auth/logout", nil)
	o.closed("session", 4401)
}

func TestShutdownSaysRestart(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	o := p.open("/")
	o.next()
	done := make(chan struct{})
	go func() { p.Shutdown(context.Background()); close(done) }()
	o.closed("restart", websocket.CloseGoingAway)
	<-done
	if a := p.get("/readyz"); a.status != http.StatusServiceUnavailable {
		t.Errorf("still ready: %d", a.status)
	}
	p.open("/").closed("restart", websocket.CloseGoingAway)
}

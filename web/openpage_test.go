package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// page is a browser's side of a socket.
type openPage struct {
	t    *testing.T
	conn *websocket.Conn
}

func (p *portal) dial(path, origin string) (*websocket.Conn, *http.Response, error) {
	dialer := websocket.Dialer{Jar: p.browser.Jar, HandshakeTimeout: 10 * time.Second}
	header := http.Header{}
	if origin != "" {
		header.Set("Origin", origin)
	}
	return dialer.Dial("ws"+strings.TrimPrefix(p.base, "http")+path, header)
}

func (p *portal) open(path string) openPage {
	p.t.Helper()
	conn, _, err := p.dial(path, p.origin())
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = conn.Close() })
	return openPage{p.t, conn}
}

func (o openPage) next() frame {
	o.t.Helper()
	if err := o.conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		o.t.Fatal(err)
	}
	_, b, err := o.conn.ReadMessage()
	if err != nil {
		o.t.Fatalf("no frame: %v", err)
	}
	var f frame
	if err := json.Unmarshal(b, &f); err != nil {
		o.t.Fatal(err)
	}
	return f
}

// nothing makes sure that nothing comes for a while.
func (o openPage) nothing() {
	o.t.Helper()
	_ = o.conn.SetReadDeadline(time.Now().Add(150 * time.Millisecond))
	if _, b, err := o.conn.ReadMessage(); err == nil {
		o.t.Errorf("unexpected frame: %s", b)
	}
}

// closed reads the farewell.
func (o openPage) closed(why string, code int) {
	o.t.Helper()
	if f := o.next(); f.T != "bye" || f.Why != why {
		o.t.Errorf("got %+v, want bye %s", f, why)
	}
	_ = o.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, _, err := o.conn.ReadMessage()
	var end *websocket.CloseError
	if !errors.As(err, &end) || end.Code != code {
		o.t.Errorf("ended with %v, want %d", err, code)
	}
}

package testkit

import (
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// Proxy is a TCP line to a server, whose faults a test chooses. It passes
// bytes on and knows nothing of HTTP.
type Proxy struct {
	listener net.Listener
	target   string

	mu    sync.Mutex
	cut   bool
	lines map[*line]struct{}
}

// line is one connection of a client with its own to the server.
type line struct {
	near, far net.Conn
	stalled   atomic.Bool
}

// NewProxy listens on a free port of 127.0.0.1 until the test ends; target is
// the server's host:port.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	p := &Proxy{listener: listen(t), target: target, lines: map[*line]struct{}{}}
	go p.accept()
	t.Cleanup(func() {
		_ = p.listener.Close()
		p.Cut()
	})
	return p
}

// Addr is where clients connect to, host:port.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Cut drops all connections and, until Restore, each new one.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	for l := range p.lines {
		l.close()
	}
}

// Restore lets new connections pass again.
func (p *Proxy) Restore() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = false
}

// Stall makes the connections that are open now half-open: neither side hears
// of the other again, and nobody is told. New connections pass.
func (p *Proxy) Stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.lines {
		l.stalled.Store(true)
	}
}

func (p *Proxy) accept() {
	for {
		near, err := p.listener.Accept()
		if err != nil {
			return
		}
		go p.serve(near)
	}
}

func (p *Proxy) serve(near net.Conn) {
	far, err := net.Dial("tcp", p.target)
	if err != nil {
		_ = near.Close()
		return
	}
	l := &line{near: near, far: far}
	p.mu.Lock()
	p.lines[l] = struct{}{}
	if p.cut {
		l.close()
	}
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { l.pass(far, near) })
	both.Go(func() { l.pass(near, far) })
	both.Wait()
	p.mu.Lock()
	delete(p.lines, l)
	p.mu.Unlock()
}

func (l *line) close() {
	_ = l.near.Close()
	_ = l.far.Close()
}

// pass moves bytes; on a stalled line it swallows them, and the end of one side
// is kept from the other.
func (l *line) pass(to, from net.Conn) {
	_, _ = io.Copy(writer(func(b []byte) (int, error) {
		if l.stalled.Load() {
			return len(b), nil
		}
		return to.Write(b)
	}), from)
	if l.stalled.Load() {
		_ = from.Close()
		return
	}
	l.close()
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// RoundRobin is a load balancer of the simplest kind: each request, sockets
// included, goes to the next of the targets (host:port). It gives its own
// host:port and ends with the test.
func RoundRobin(t testing.TB, targets ...string) (addr string, requests func(target string) int64) {
	t.Helper()
	var next atomic.Int64
	counts := make(map[string]*atomic.Int64, len(targets))
	for _, target := range targets {
		counts[target] = &atomic.Int64{}
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		target := targets[int(next.Add(1))%len(targets)]
		counts[target].Add(1)
		r.SetURL(&url.URL{Scheme: "http", Host: target})
		r.Out.Host = r.In.Host
	}}
	listener := listen(t)
	server := &http.Server{Handler: proxy}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return listener.Addr().String(), func(target string) int64 { return counts[target].Load() }
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

//go:build sandbox

package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// site is a Capstan process; it may be stopped and started again.
type site struct {
	URL  string // public URL, without a slash at the end
	Addr string // where it listens, host:port
	cmd  *exec.Cmd
	log  string
	env  []string
}

// newSite prepares a process on a free port against the shared sandbox.
// Settings are CAPSTAN_… pairs that win over the sandbox's; PORT in them
// stands for the port.
func newSite(dir string, settings ...string) (*site, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	p := &site{Addr: "127.0.0.1:" + port, log: filepath.Join(dir, "portal-"+port+".log")}
	for _, setting := range append([]string{
		"CAPSTAN_LISTEN=127.0.0.1:PORT", "CAPSTAN_PUBLIC_URL=http://localhost:PORT",
		"CAPSTAN_SESSION_KEYS=test:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
	}, settings...) {
		setting = strings.ReplaceAll(setting, "PORT", port)
		if url, ok := strings.CutPrefix(setting, "CAPSTAN_PUBLIC_URL="); ok {
			p.URL = url
		}
		p.env = append(p.env, setting)
	}
	return p, nil
}

// run starts the process and waits until it is ready.
func (p *site) run() error {
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	p.cmd = exec.Command(program, "serve")
	p.cmd.Env = append(os.Environ(), p.env...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	if !within(2*time.Minute, p.ready) {
		return errors.New("the portal is not ready within two minutes:\n" + p.tail())
	}
	return nil
}

func (p *site) ready() bool {
	resp, err := http.Get("http://" + p.Addr + "/readyz")
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// end stops the process; the error tells of data races that it found.
func (p *site) end() error {
	if p.cmd == nil {
		return nil
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait()
	p.cmd = nil
	if log, _ := os.ReadFile(p.log); strings.Contains(string(log), "DATA RACE") {
		return fmt.Errorf("the portal has a data race:\n%s", log)
	}
	return nil
}

// tail is the end of the portal's log.
func (p *site) tail() string {
	log, _ := os.ReadFile(p.log)
	all := strings.Split(strings.TrimSpace(string(log)), "\n")
	return strings.Join(all[max(0, len(all)-60):], "\n")
}

// freePort is a port that nobody listens on at the moment.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port), nil
}

// preparePortal is a process of the test's own that doesn't run yet. It ends
// with the test.
func preparePortal(t *testing.T, settings ...string) *site {
	t.Helper()
	testkit.SharedSandbox(t)
	p, err := newSite(t.TempDir(), settings...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.stop(t)
		if t.Failed() {
			t.Logf("the portal's log:\n%s", p.tail())
		}
	})
	return p
}

// startPortal runs a process of the test's own, for tests that restart it or
// need other settings.
func startPortal(t *testing.T, settings ...string) *site {
	t.Helper()
	p := preparePortal(t, settings...)
	p.start(t)
	return p
}

func (p *site) start(t *testing.T) {
	t.Helper()
	if err := p.run(); err != nil {
		t.Fatal(err)
	}
}

func (p *site) stop(t *testing.T) {
	t.Helper()
	if err := p.end(); err != nil {
		t.Error(err)
	}
}

// sharedSite is the one portal that most tests use.
type sharedSite struct {
	once sync.Once
	dir  string
	site *site
	err  error
}

// sharedPortal is a portal against the shared sandbox that the test must leave
// running.
func sharedPortal(t *testing.T) *site {
	t.Helper()
	testkit.SharedSandbox(t)
	shared.once.Do(func() {
		if shared.site, shared.err = newSite(shared.dir); shared.err == nil {
			shared.err = shared.site.run()
		}
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the shared portal's log:\n%s", shared.site.tail())
		}
	})
	return shared.site
}

func (s *sharedSite) end() error {
	if s.site == nil {
		return nil
	}
	return s.site.end()
}

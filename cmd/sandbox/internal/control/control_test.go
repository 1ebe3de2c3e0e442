package control

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

type part struct {
	name    string
	running bool
}

func (p *part) Name() string                { return p.name }
func (p *part) Start(context.Context) error { p.running = true; return nil }
func (p *part) Stop(context.Context) error  { p.running = false; return nil }
func (p *part) Running() bool               { return p.running }

func TestControl(t *testing.T) {
	etcd, oidc := &part{name: "etcd", running: true}, &part{name: "oidc"}
	disabled := map[string]bool{}
	server := &Server{Components: []Component{etcd, oidc}, SetDisabled: func(name string, d bool) error {
		if name != "viewer" {
			return errors.New("there is no account " + name)
		}
		disabled[name] = d
		return nil
	}}
	socket := filepath.Join(t.TempDir(), "c.sock")
	if err := server.Serve(t.Context(), socket); err != nil {
		t.Fatal(err)
	}
	steps := []struct {
		do    func() error
		fault string
	}{
		{func() error { return Steer(t.Context(), socket, "etcd", "stop") }, ""},
		{func() error { return Steer(t.Context(), socket, "oidc", "start") }, ""},
		{func() error { return Steer(t.Context(), socket, "oidc", "kick") }, `not "kick"`},
		{func() error { return Steer(t.Context(), socket, "kubelet", "stop") }, "there are etcd, oidc"},
		{func() error { return SetAccount(t.Context(), socket, "viewer", "disable") }, ""},
		{func() error { return SetAccount(t.Context(), socket, "nobody", "disable") }, "there is no account nobody"},
		{func() error { return Steer(t.Context(), socket+"x", "etcd", "stop") }, "is it running?"},
	}
	for i, s := range steps {
		err := s.do()
		if s.fault == "" && err != nil || s.fault != "" && (err == nil || !strings.Contains(err.Error(), s.fault)) {
			t.Errorf("step %d: got %v, want %q", i, err, s.fault)
		}
	}
	if etcd.running || !oidc.running || !disabled["viewer"] {
		t.Errorf("etcd %v, oidc %v, viewer disabled %v", etcd.running, oidc.running, disabled["viewer"])
	}
}

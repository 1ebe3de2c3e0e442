package process

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func child(t *testing.T, script string) *Process {
	t.Helper()
	p := &Process{
		Label: "child", Path: "/bin/sh", Args: []string{"-c", script},
		LogFile: filepath.Join(t.TempDir(), "logs", "child.log"), Spawner: NewSpawner(),
	}
	t.Cleanup(func() {
		if err := p.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return p
}

func TestStartStopStart(t *testing.T) {
	p := child(t, "exec sleep 60")
	for range 2 {
		if err := p.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := p.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "already running") {
			t.Errorf("started twice: %v", err)
		}
		if !p.Running() || p.PID() == 0 {
			t.Error("it doesn't run")
		}
		if err := p.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if p.Running() || p.PID() != 0 {
			t.Error("it still runs")
		}
	}
}

func TestEndWhileStartingTellsTheLog(t *testing.T) {
	p := child(t, "echo the port is taken >&2; exit 3")
	p.Ready = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	err := p.Start(t.Context())
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "the port is taken") {
		t.Errorf("got %v", err)
	}
}

func TestNotReadyInTime(t *testing.T) {
	p := child(t, "exec sleep 60")
	p.Ready = func(context.Context) error { return errors.New("no answer") }
	if err := p.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "child did not become ready") {
		t.Errorf("got %v", err)
	}
}

func TestStubbornChildIsKilled(t *testing.T) {
	p := child(t, "trap '' TERM; while :; do sleep 1; done")
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := p.Stop(ctx); err != nil || p.Running() {
		t.Errorf("still running: %v (%v)", p.Running(), err)
	}
}

func TestLossIsReported(t *testing.T) {
	lost := make(chan string, 1)
	p := child(t, "exit 0")
	p.Lost = func(name string, _ error) { lost <- name }
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case name := <-lost:
		if name != "child" {
			t.Errorf("lost %q", name)
		}
	case <-time.After(10 * time.Second):
		t.Error("nobody was told")
	}
}

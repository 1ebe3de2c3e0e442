package binaries

import (
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

func TestExplain(t *testing.T) {
	exit := errors.New("exit status 1")
	for _, tt := range []struct {
		name   string
		err    error
		output string
		want   string
	}{
		{"no network", exit, `go: k8s.io/api@v0.36.3: Get "https://proxy.golang.org/x": dial tcp: lookup proxy.golang.org: no such host`, "the Go module proxy can't be reached"},
		{"disk full", exit, "write /root/.cache/go-build/x: no space left on device", "the disk is full"},
		{"disk full, own write", &wrapped{syscall.ENOSPC}, "", "the disk is full"},
		{"old Go", exit, "go: go.mod requires go >= 1.26.0 (running go 1.25.1; GOTOOLCHAIN=local)", "the Go version is too old"},
		{"no Go", &exec.Error{Name: "go", Err: exec.ErrNotFound}, "", "there is no go command in PATH"},
		{"wrong bytes", exit, "verifying module: checksum mismatch", "isn't the pinned one"},
		{"unknown", exit, "line one\nsomething odd", "something odd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := explain("etcd", tt.err, tt.output)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
		})
	}
	if explain("etcd", nil, "") != nil {
		t.Error("no failure became one")
	}
}

type wrapped struct{ err error }

func (w *wrapped) Error() string { return w.err.Error() }
func (w *wrapped) Unwrap() error { return w.err }

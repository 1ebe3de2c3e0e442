package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/binaries"
)

// shutdownLimit bounds the orderly end of everything.
const shutdownLimit = 40 * time.Second

// up runs a sandbox until ctx is done. It prints one JSON line on stdout when
// everything answers; progress goes to the other writer.
func up(ctx context.Context, args []string, stdout, progress io.Writer) (err error) {
	o, err := parseOptions(args, progress)
	if err != nil {
		return err
	}
	release, err := claim(o.dir)
	if err != nil {
		return err
	}
	defer release()
	set, err := binaries.Ensure(ctx, os.Getenv("KUBEBUILDER_ASSETS"), progress)
	if err != nil {
		return err
	}
	if o.extension {
		if err := binaries.EnsureExtension(ctx, set, progress); err != nil {
			return err
		}
	}
	s := newSandbox(o, set, progress)
	defer func() {
		// The context of the run is done by now; the end needs one of its own.
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownLimit)
		defer cancel()
		err = errors.Join(err, s.stop(end))
	}()
	if err := s.start(ctx); err != nil {
		if ctx.Err() != nil {
			return nil // interrupted while starting: no failure
		}
		return err
	}
	ready := map[string]any{"ready": true, "file": descriptionFile(o.dir)}
	if err := json.NewEncoder(stdout).Encode(ready); err != nil {
		return fmt.Errorf("the ready line can't be written: %w", err)
	}
	if len(o.command) == 0 {
		return s.run(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	s.tasks.Go(func() {
		ended <- s.accompany(ctx)
		cancel()
	})
	if err := s.run(ctx); err != nil {
		return err
	}
	return <-ended
}

// claim makes the folder this sandbox's own and clears what an earlier one
// left: workload clusters live in memory, so every start seeds afresh.
func claim(dir string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("the sandbox's folder can't be made: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the sandbox's folder can't be locked: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		return nil, fmt.Errorf("another sandbox runs in %s: stop it or pass another --dir", dir)
	}
	for _, name := range []string{"etcd", "certs", "logs", "sandbox.json", "kubeconfig", "portal.kubeconfig", "portal.token"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			lock.Close()
			return nil, fmt.Errorf("%s of an earlier sandbox can't be removed: %w", name, err)
		}
	}
	return func() {
		_ = os.Remove(descriptionFile(dir)) // nobody reads it any more
		lock.Close()
	}, nil
}

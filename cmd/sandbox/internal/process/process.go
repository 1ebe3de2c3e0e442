// Package process runs one program as a child: with a log file, a readiness
// check, an orderly end, and the promise that it never outlives its parent.
package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// stopGrace is how long a child may take to end before it is killed, unless
// its Grace says otherwise.
const stopGrace = 15 * time.Second

// rarely lets the children's garbage collectors run four times more seldom than
// by default: their heaps are small beside a machine's memory, and a third of
// kube-apiserver's work is spared. The first of two settings of a name counts
// less, so GOGC in the caller's environment wins.
const rarely = "GOGC=400"

// Process is one supervised child. Set the exported fields before Start.
type Process struct {
	// Label names the child in messages, Path is its program.
	Label string
	Path  string
	Args  []string
	// Env is added to the environment of this program.
	Env []string
	// LogFile receives stdout and stderr, appended over restarts.
	LogFile string
	// Ready returns nil as soon as the child answers. Nil means at once.
	Ready func(context.Context) error
	// Lost is told when the child ends without having been asked to.
	Lost func(name string, err error)
	// Grace is how long the child may take to end before it is killed.
	Grace time.Duration
	// Spawner starts the child on its long-lived thread.
	Spawner *Spawner

	mu      sync.Mutex
	current *run
}

// run is one life of the child.
type run struct {
	cmd      *exec.Cmd
	done     chan struct{} // closed after Wait
	err      error         // set before done is closed
	stopping bool          // guarded by Process.mu
}

// Name is the name used on the command line.
func (p *Process) Name() string { return p.Label }

// Start starts the child and waits until it is ready, has ended, or ctx is done.
func (p *Process) Start(ctx context.Context) error {
	p.mu.Lock()
	if p.current != nil {
		p.mu.Unlock()
		return fmt.Errorf("%s is already running", p.Label)
	}
	r, err := p.spawn()
	if err != nil {
		p.mu.Unlock()
		return err
	}
	p.current = r
	p.mu.Unlock()
	go p.watch(r)
	return p.awaitReady(ctx, r)
}

func (p *Process) spawn() (*run, error) {
	if err := os.MkdirAll(filepath.Dir(p.LogFile), 0o755); err != nil {
		return nil, fmt.Errorf("no folder for the log of %s: %w", p.Label, err)
	}
	log, err := os.OpenFile(p.LogFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("no log file for %s: %w", p.Label, err)
	}
	defer log.Close() // the child holds its own descriptor
	cmd := exec.Command(p.Path, p.Args...)
	cmd.Env = append(append([]string{rarely}, os.Environ()...), p.Env...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := p.Spawner.Start(cmd); err != nil {
		return nil, fmt.Errorf("%s could not be started: %w", p.Label, err)
	}
	return &run{cmd: cmd, done: make(chan struct{})}, nil
}

// watch reaps the child and reports an end nobody asked for.
func (p *Process) watch(r *run) {
	r.err = r.cmd.Wait()
	if r.err == nil {
		r.err = errors.New("exit status 0")
	}
	p.mu.Lock()
	wanted := r.stopping
	if p.current == r {
		p.current = nil
	}
	p.mu.Unlock()
	close(r.done)
	if !wanted && p.Lost != nil {
		p.Lost(p.Label, r.err)
	}
}

func (p *Process) awaitReady(ctx context.Context, r *run) error {
	if p.Ready == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ready := make(chan error, 1)
	go func() { ready <- p.Ready(ctx) }()
	select {
	case err := <-ready:
		if err != nil {
			return fmt.Errorf("%s did not become ready (log: %s): %w", p.Label, p.LogFile, err)
		}
		return nil
	case <-r.done:
		return fmt.Errorf("%s ended while starting (%w); its log %s ends with:\n%s", p.Label, r.err, p.LogFile, tail(p.LogFile, 5))
	}
}

// Stop ends the child: politely, then by force. It is no error to stop a child
// that isn't running.
func (p *Process) Stop(ctx context.Context) error {
	p.mu.Lock()
	r := p.current
	if r == nil {
		p.mu.Unlock()
		return nil
	}
	r.stopping = true
	p.mu.Unlock()
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("%s could not be stopped: %w", p.Label, err)
	}
	grace := time.NewTimer(cmp.Or(p.Grace, stopGrace))
	defer grace.Stop()
	select {
	case <-r.done:
		return nil
	case <-ctx.Done():
	case <-grace.C:
	}
	if err := r.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("%s could not be killed: %w", p.Label, err)
	}
	<-r.done
	return nil
}

// Running tells whether the child lives.
func (p *Process) Running() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.current != nil
}

// PID is the child's process id, 0 while it isn't running.
func (p *Process) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current == nil {
		return 0
	}
	return p.current.cmd.Process.Pid
}

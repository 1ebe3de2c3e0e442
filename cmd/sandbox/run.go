package main

import (
	"context"
	"errors"
	"time"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/process"
	"github.com/capstan-portal/capstan/cmd/sandbox/seed"
)

// maxRestarts is how often one component may end by itself before the sandbox
// gives up on it.
const maxRestarts = 5

// lost is told by a child that ended without having been asked to.
func (s *sandbox) lost(name string, err error) {
	s.say("%s ended by itself (%v); its log is in %s/logs", name, err, s.o.dir)
	select {
	case s.ended <- name:
	default: // so many at once: one of them is enough to act on
	}
}

// run seeds, renews the token and restarts what ends, until ctx is done.
func (s *sandbox) run(ctx context.Context) error {
	s.say("ready: %s", descriptionFile(s.o.dir))
	s.tasks.Go(func() { s.token.Keep(ctx, s.progress) })
	s.tasks.Go(func() { s.seed(ctx) })
	restarts := map[string]int{}
	for {
		select {
		case <-ctx.Done():
			s.say("stopping")
			return nil
		case name := <-s.ended:
			restarts[name]++
			if restarts[name] > maxRestarts {
				return errors.New(name + " keeps ending; see its log")
			}
			s.restart(ctx, name, time.Duration(restarts[name])*time.Second)
		}
	}
}

// restart starts a component again after a pause, as a kubelet would.
func (s *sandbox) restart(ctx context.Context, name string, pause time.Duration) {
	for _, p := range s.processes() {
		if p.Name() == name {
			s.tasks.Go(func() { s.restartProcess(ctx, p, pause) })
		}
	}
}

func (s *sandbox) restartProcess(ctx context.Context, p *process.Process, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return
	case <-timer.C:
	}
	if err := p.Start(ctx); err != nil && ctx.Err() == nil {
		s.say("%v", err)
		return
	}
	s.say("%s runs again", p.Name())
}

func (s *sandbox) seed(ctx context.Context) {
	err := seed.Apply(ctx, s.writer, s.o.seed, s.say)
	if err != nil && ctx.Err() == nil {
		s.say("seeding ended early: %v", err)
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// companionGrace is how long the command may take to end after a signal.
const companionGrace = 20 * time.Second

// exitCode carries the exit code of the command that ran beside the sandbox.
type exitCode int

func (e exitCode) Error() string { return "the command ended with exit code " + strconv.Itoa(int(e)) }

// accompany runs the command given after "--" and ends the sandbox with it.
// The command finds the portal's settings in its environment.
func (s *sandbox) accompany(ctx context.Context, end context.CancelCauseFunc) {
	cmd := exec.CommandContext(ctx, s.o.command[0], s.o.command[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), s.environment()...)
	// It gets a process group of its own, as every child: Ctrl-C reaches the
	// sandbox alone, which then ends the command and all that it started.
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = companionGrace
	if err := s.hub.Etcd.Spawner.Start(cmd); err != nil {
		end(fmt.Errorf("%s can't be started: %w", s.o.command[0], err))
		return
	}
	err := cmd.Wait()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		end(nil)
	case errors.As(err, &failed):
		end(exitCode(failed.ExitCode()))
	default:
		end(err)
	}
}

// environment is what the portal and tests read.
func (s *sandbox) environment() []string {
	return []string{
		"CAPSTAN_SANDBOX=" + descriptionFile(s.o.dir),
		"CAPSTAN_KUBECONFIG=" + s.portalKubeconfig(),
		"CAPSTAN_OIDC_ISSUER=" + s.identity.Issuer(),
		"CAPSTAN_OIDC_CLIENT_ID=" + clientID,
		"CAPSTAN_OIDC_CLIENT_SECRET=" + s.o.clientSecret,
		"CAPSTAN_LISTEN=127.0.0.1:" + strconv.Itoa(s.o.port),
		"CAPSTAN_PUBLIC_URL=http://localhost:" + strconv.Itoa(s.o.port),
		"CAPSTAN_LOG_FORMAT=text",
	}
}

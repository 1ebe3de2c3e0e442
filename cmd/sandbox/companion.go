package main

import (
	"context"
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

// accompany runs the command given after "--" until it ends by itself or ctx
// does. Its exit code counts in both cases: tests that were interrupted have
// not passed. The command finds the portal's settings in its environment.
func (s *sandbox) accompany(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, s.o.command[0], s.o.command[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), s.environment()...)
	// It gets a process group of its own, as every child: Ctrl-C reaches the
	// sandbox alone, which then ends the command and all that it started.
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = companionGrace
	if err := s.hub.Etcd.Spawner.Start(cmd); err != nil {
		return fmt.Errorf("%s can't be started: %w", s.o.command[0], err)
	}
	err := cmd.Wait()
	if state := cmd.ProcessState; state != nil && !state.Success() {
		return codeOf(state)
	}
	if ctx.Err() != nil { // it ended well when asked to
		return nil
	}
	return err
}

// codeOf is the exit code as a shell has it: 128 and the signal's number for
// what a signal has ended.
func codeOf(state *os.ProcessState) exitCode {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return exitCode(128 + int(status.Signal()))
	}
	return exitCode(state.ExitCode())
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

package main

import (
	"io"
	"strings"
	"testing"
)

func TestOptions(t *testing.T) {
	for _, tt := range []struct {
		name  string
		args  []string
		fault string
	}{
		{"defaults", nil, ""},
		{"short token", []string{"--token-ttl=1m"}, "the API server gives no token for less than 10m0s"},
		{"with a command", []string{"--seed=none", "--", "sleep", "1"}, ""},
		{"extension without managers", []string{"--extension", "--managers=false"}, "--extension needs the managers"},
		{"unknown flag", []string{"--sed=none"}, "not defined: -sed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseOptions(tt.args, io.Discard)
			if tt.fault == "" && err != nil || tt.fault != "" && (err == nil || !strings.Contains(err.Error(), tt.fault)) {
				t.Errorf("got %v, want %q", err, tt.fault)
			}
		})
	}
}

func TestClaimRefusesASecondSandbox(t *testing.T) {
	dir := t.TempDir()
	release, err := claim(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := claim(dir); err == nil || !strings.Contains(err.Error(), "another sandbox runs in "+dir) {
		t.Errorf("got %v", err)
	}
	release()
	release, err = claim(dir)
	if err != nil {
		t.Fatal(err)
	}
	release()
}

func TestCommandsWithoutASandbox(t *testing.T) {
	err := run(t.Context(), []string{"stop", "oidc", "--dir", t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "no sandbox runs in") {
		t.Errorf("got %v", err)
	}
	err = run(t.Context(), []string{"stop"})
	if err == nil || !strings.Contains(err.Error(), "usage:") {
		t.Errorf("got %v", err)
	}
}

package main

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/capstan-portal/capstan/internal/config"
)

func TestExitCodes(t *testing.T) {
	t.Setenv("CAPSTAN_OIDC_ISSUER", "")
	tests := map[string]struct {
		args []string
		code int
	}{
		"help":            {[]string{"help"}, 0},
		"version":         {[]string{"version"}, 0},
		"settings":        {[]string{"serve", "--help"}, 0},
		"unknown command": {[]string{"scale"}, 2},
		"bad settings":    {[]string{"serve", "--max-replicas=none"}, 2},
		"unknown flag":    {[]string{"serve", "--no-such-flag"}, 2},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if code := run(t.Context(), test.args); code != test.code {
				t.Errorf("got %d, want %d", code, test.code)
			}
		})
	}
}

func TestListenSaysWhichSettingIsWrong(t *testing.T) {
	err := listen(context.Background(), config.Config{Listen: "256.0.0.1:1"}, slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(err.Error(), "CAPSTAN_LISTEN") {
		t.Errorf("got %v", err)
	}
}

func TestVersionLine(t *testing.T) {
	if line := versionLine(); !strings.HasPrefix(line, "capstan ") || !strings.Contains(line, " go1.") {
		t.Errorf("got %q", line)
	}
}

package config

import (
	"bytes"
	"encoding/base64"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"time"
)

// key is 32 bytes in base64.
func key(fill byte) string {
	return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{fill}, 32))
}

func source(env map[string]string, args ...string) Source {
	return Source{
		Args: args,
		Env:  func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		ReadFile: func(path string) ([]byte, error) {
			if path == "/secret" {
				return []byte("from a file\n"), nil
			}
			return nil, os.ErrNotExist
		},
	}
}

// least is what has no default.
func least(more map[string]string) map[string]string {
	env := map[string]string{"CAPSTAN_OIDC_ISSUER": "https://login.example.com", "CAPSTAN_OIDC_CLIENT_ID": "capstan"}
	for name, value := range more {
		env[name] = value
	}
	return env
}

func TestDefaults(t *testing.T) {
	c, err := Load(source(least(nil)))
	if err != nil {
		t.Fatal(err)
	}
	if c.PublicURL.String() != "http://localhost:8080" || c.MaxReplicas != 1000 || c.OIDC.NamePrefix != "oidc:" ||
		c.Session.Idle != 8*time.Hour || c.Session.Max != 24*time.Hour || c.Session.RenewAfter != 15*time.Minute {
		t.Errorf("unexpected defaults: %+v", c)
	}
	if !c.Session.RandomKey || len(c.Session.Keys) != 1 || len(c.Session.Keys[0].Secret) != 32 {
		t.Error("no random key on a loopback address")
	}
}

func TestSources(t *testing.T) {
	tests := map[string]struct {
		env  map[string]string
		args []string
		want func(Config) bool
	}{
		"a flag wins": {map[string]string{"CAPSTAN_CONTACT": "env"}, []string{"--contact", "flag"},
			func(c Config) bool { return c.Contact == "flag" }},
		"secret from a file": {map[string]string{"CAPSTAN_OIDC_CLIENT_SECRET_FILE": "/secret"}, nil,
			func(c Config) bool { return c.OIDC.ClientSecret == "from a file" }},
		"secret from a file's flag": {nil, []string{"--oidc-client-secret-file=/secret"},
			func(c Config) bool { return c.OIDC.ClientSecret == "from a file" }},
		"an empty variable is none": {map[string]string{"CAPSTAN_MAX_REPLICAS": ""}, nil,
			func(c Config) bool { return c.MaxReplicas == 1000 }},
		"no prefix": {map[string]string{"CAPSTAN_OIDC_NAME_PREFIX": "-"}, nil,
			func(c Config) bool { return c.OIDC.NamePrefix == "" }},
		"prefix of the path": {map[string]string{"CAPSTAN_PUBLIC_URL": "https://Example.com/capstan/", "CAPSTAN_SESSION_KEYS": "a:" + key(1)}, nil,
			func(c Config) bool {
				return c.PublicURL.String() == "https://example.com/capstan" && !c.Session.RandomKey
			}},
		"two keys": {map[string]string{"CAPSTAN_SESSION_KEYS": "new:" + key(2) + ",old:" + key(1)}, nil,
			func(c Config) bool { return len(c.Session.Keys) == 2 && c.Session.Keys[0].ID == "new" }},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c, err := Load(source(least(test.env), test.args...))
			if err != nil {
				t.Fatal(err)
			}
			if !test.want(c) {
				t.Errorf("unexpected: %+v", c)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	tests := map[string]struct {
		name, value, problem string
	}{
		"http on a public host":  {"CAPSTAN_PUBLIC_URL", "http://capstan.example.com", "https://"},
		"no url":                 {"CAPSTAN_PUBLIC_URL", "capstan", "is no URL"},
		"no key on a public url": {"CAPSTAN_PUBLIC_URL", "https://capstan.example.com", "all replicas need the same key"},
		"short key":              {"CAPSTAN_SESSION_KEYS", "a:AAAA", "not 32 bytes"},
		"key without id":         {"CAPSTAN_SESSION_KEYS", key(1), "id:base64key"},
		"same id twice":          {"CAPSTAN_SESSION_KEYS", "a:" + key(1) + ",a:" + key(2), "two keys"},
		"no duration":            {"CAPSTAN_SESSION_IDLE", "soon", "no duration"},
		"idle beyond max":        {"CAPSTAN_SESSION_IDLE", "48h", "longer"},
		"too many replicas":      {"CAPSTAN_MAX_REPLICAS", "0", "no number"},
		"log format":             {"CAPSTAN_LOG_FORMAT", "xml", "neither"},
		"scopes without openid":  {"CAPSTAN_OIDC_SCOPES", "profile", "openid"},
		"unreadable file":        {"CAPSTAN_SESSION_KEYS_FILE", "/nowhere", "can't be read"},
		"issuer over http":       {"CAPSTAN_OIDC_ISSUER", "http://login.example.com", "https://"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Load(source(least(map[string]string{test.name: test.value})))
			var faults Faults
			if !errors.As(err, &faults) || len(faults) != 1 || !strings.Contains(faults[0].Problem, test.problem) {
				t.Errorf("got %v, want one fault with %q", err, test.problem)
			}
		})
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	_, err := Load(source(map[string]string{"CAPSTAN_MAX_REPLICAS": "many", "CAPSTAN_LOG_FORMAT": "xml"}))
	for _, name := range []string{"CAPSTAN_OIDC_ISSUER", "CAPSTAN_OIDC_CLIENT_ID", "CAPSTAN_MAX_REPLICAS", "CAPSTAN_LOG_FORMAT"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is missing in: %v", name, err)
		}
	}
}

func TestFaultsHoldNoSecret(t *testing.T) {
	_, err := Load(source(least(map[string]string{"CAPSTAN_SESSION_KEYS": "a:c2VjcmV0"})))
	if err == nil || strings.Contains(err.Error(), "c2VjcmV0") {
		t.Errorf("got %v, want a fault without the key", err)
	}
}

func TestHelpListsEverySetting(t *testing.T) {
	var help bytes.Buffer
	src := source(nil, "--help")
	src.Usage = &help
	if _, err := Load(src); !errors.Is(err, flag.ErrHelp) {
		t.Fatalf("got %v, want flag.ErrHelp", err)
	}
	for _, s := range settings() {
		if !strings.Contains(help.String(), "-"+s.name) {
			t.Errorf("%s is not in the help", s.name)
		}
	}
}

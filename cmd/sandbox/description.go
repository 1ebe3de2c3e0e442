package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/identity"
)

// Description is what sandbox.json tells about a running sandbox.
type Description struct {
	PID int `json:"pid"`
	// Kubeconfig is the administrator's, PortalKubeconfig the one of the
	// ServiceAccount that deploy/ makes; its token is renewed in place.
	Kubeconfig       string `json:"kubeconfig"`
	PortalKubeconfig string `json:"portalKubeconfig"`
	PortalTokenFile  string `json:"portalTokenFile"`
	APIServer        string `json:"apiServer"`
	// Issuer, ClientID and ClientSecret configure the portal's sign-in.
	Issuer       string             `json:"issuer"`
	ClientID     string             `json:"clientID"`
	ClientSecret string             `json:"clientSecret"`
	Accounts     []identity.Account `json:"accounts"`
	// Control is the socket for stop, start and account.
	Control string `json:"control"`
	Logs    string `json:"logs"`
	// PIDs are the children at the time of writing.
	PIDs map[string]int `json:"pids"`
}

func descriptionFile(dir string) string { return filepath.Join(dir, "sandbox.json") }

func (d Description) write(dir string) error {
	content, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return fmt.Errorf("sandbox.json can't be encoded: %w", err)
	}
	temporary := descriptionFile(dir) + ".new"
	if err := os.WriteFile(temporary, append(content, '\n'), 0o600); err != nil {
		return fmt.Errorf("sandbox.json can't be written: %w", err)
	}
	return os.Rename(temporary, descriptionFile(dir))
}

func readDescription(dir string) (Description, error) {
	var d Description
	content, err := os.ReadFile(descriptionFile(dir))
	if err != nil {
		return d, fmt.Errorf("no sandbox runs in %s (there is no sandbox.json): start one with `sandbox up --dir %s`", dir, dir)
	}
	if err := json.Unmarshal(content, &d); err != nil {
		return d, fmt.Errorf("%s can't be read: %w", descriptionFile(dir), err)
	}
	return d, nil
}

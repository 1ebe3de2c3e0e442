// Package config reads the portal's settings.
//
// Flags and environment variables → one Config, or a Faults that lists
// everything that is wrong at once. Each setting is a field of Config and a row
// of the table in settings.go; its flag is --name-in-dashes, its variable
// CAPSTAN_NAME_IN_CAPITALS, and a flag wins. Read by cmd alone; a leaf.
package config

import (
	"net/url"
	"time"
)

// Config is all settings. Load fills in the defaults.
type Config struct {
	Listen      string   // address to listen on, for example ":8080"
	PublicURL   *url.URL // where browsers find the portal; its path is the prefix
	OIDC        OIDC
	Session     Session
	Kubeconfig  string        // path; empty: the Pod's own ServiceAccount
	MaxReplicas int           // the most machines that one pool may be scaled to
	Contact     string        // whom people ask for rights, free text; may be empty
	LogFormat   string        // "json" or "text"
	DecisionTTL time.Duration // how long a decision of the authorizer is kept at most
}

// OIDC is the identity provider and how its claims become a Kubernetes user.
type OIDC struct {
	Issuer       string
	ClientID     string
	ClientSecret string // empty for a public client
	Scopes       []string
	NameClaim    string
	GroupsClaim  string
	NamePrefix   string
	GroupsPrefix string
}

// Session is how long people stay signed in, and the keys that seal it.
type Session struct {
	Keys       []Key         // the first seals, all open
	RandomKey  bool          // no key was given and one was made up for this process
	Idle       time.Duration // without any page opened
	Max        time.Duration // in any case
	RenewAfter time.Duration // how old the provider's word may become
}

// Key is one AES-256 key of the session cookie.
type Key struct {
	ID     string
	Secret []byte // 32 bytes
}

// Loopback says whether the public URL can only be reached from this machine.
func (c Config) Loopback() bool { return c.PublicURL != nil && loopback(c.PublicURL.Hostname()) }

package config

import "time"

// setting is one row of the table: how a text becomes part of a Config.
type setting struct {
	name   string // in dashes
	preset string
	help   string
	file   bool // may also be given as a file: --name-file, CAPSTAN_NAME_FILE
	set    func(*Config, string) error
}

// settings is the table; --help and the faults follow its order.
func settings() []setting {
	return []setting{
		{name: "listen", preset: ":8080", help: "address to listen on", set: func(c *Config, v string) error { return text(&c.Listen, v) }},
		{name: "public-url", preset: "http://localhost:8080", help: "where browsers find the portal; may end in a path", set: setPublicURL},
		{name: "oidc-issuer", help: "issuer URL of the identity provider", set: setIssuer},
		{name: "oidc-client-id", help: "client id at the provider", set: func(c *Config, v string) error { return required(&c.OIDC.ClientID, v) }},
		{name: "oidc-client-secret", file: true, help: "client secret at the provider", set: func(c *Config, v string) error { return text(&c.OIDC.ClientSecret, v) }},
		{name: "oidc-scopes", preset: "openid profile email groups offline_access", help: "scopes to ask for, separated by spaces", set: setScopes},
		{name: "oidc-name-claim", preset: "preferred_username", help: "claim that holds the user's name", set: func(c *Config, v string) error { return required(&c.OIDC.NameClaim, v) }},
		{name: "oidc-groups-claim", preset: "groups", help: "claim that holds the user's groups", set: func(c *Config, v string) error { return required(&c.OIDC.GroupsClaim, v) }},
		{name: "oidc-name-prefix", preset: "oidc:", help: "put before the name, as the API server does; - for none", set: func(c *Config, v string) error { return prefix(&c.OIDC.NamePrefix, v) }},
		{name: "oidc-groups-prefix", preset: "oidc:", help: "put before each group, as the API server does; - for none", set: func(c *Config, v string) error { return prefix(&c.OIDC.GroupsPrefix, v) }},
		{name: "session-keys", file: true, help: "id:base64key,… of 32 bytes each; the first seals, all open", set: setKeys},
		{name: "session-idle", preset: "8h", help: "how long a session lives without use", set: func(c *Config, v string) error { return duration(&c.Session.Idle, v, time.Minute) }},
		{name: "session-max", preset: "24h", help: "how long a session lives at most", set: func(c *Config, v string) error { return duration(&c.Session.Max, v, time.Minute) }},
		{name: "session-renew-after", preset: "15m", help: "when the provider is asked again", set: func(c *Config, v string) error { return duration(&c.Session.RenewAfter, v, time.Second) }},
		{name: "kubeconfig", help: "kubeconfig of the management cluster; empty: the Pod's ServiceAccount", set: func(c *Config, v string) error { return text(&c.Kubeconfig, v) }},
		{name: "max-replicas", preset: "1000", help: "the most machines that one pool may be scaled to", set: setMaxReplicas},
		{name: "contact", help: "whom people ask for rights, for example a mail address", set: func(c *Config, v string) error { return text(&c.Contact, v) }},
		{name: "log-format", preset: "json", help: "json or text", set: setLogFormat},
		{name: "decision-ttl", preset: "5m", help: "how long a decision of the authorizer is kept at most", set: func(c *Config, v string) error { return duration(&c.DecisionTTL, v, time.Second) }},
	}
}

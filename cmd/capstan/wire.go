package main

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/config"
	"github.com/capstan-portal/capstan/internal/fleet"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/web"
)

// portal is the running program.
type portal struct {
	web   *web.Server
	close func()
}

// wire makes all parts and starts what runs in the background until ctx ends.
func wire(ctx context.Context, cfg config.Config, log *slog.Logger) (*portal, error) {
	words, err := message.Load()
	if err != nil {
		return nil, err
	}
	keys, err := auth.NewKeyring(keysOf(cfg))
	if err != nil {
		return nil, err
	}
	if cfg.Session.RandomKey {
		log.Warn("no session key is set: sessions end with this process", "setting", "CAPSTAN_SESSION_KEYS")
	}
	fl, err := fleet.Connect(ctx, fleet.Config{
		Kubeconfig: cfg.Kubeconfig, InCluster: cfg.Kubeconfig == "",
		MaxReplicas: cfg.MaxReplicas, DecisionTTL: cfg.DecisionTTL,
	}, log)
	if err != nil {
		return nil, err
	}
	provider := auth.NewProvider(provider(cfg, log))
	server, err := web.New(web.Deps{
		Fleet: fl, Identity: provider, Keys: keys, Words: words, PublicURL: cfg.PublicURL,
		Limits:      auth.Limits{Idle: cfg.Session.Idle, Max: cfg.Session.Max, RenewAfter: cfg.Session.RenewAfter},
		MaxReplicas: cfg.MaxReplicas, Contact: cfg.Contact,
		Ready: fl.Ready, Log: log, Registry: registry(),
	})
	if err != nil {
		fl.Close()
		return nil, err
	}
	go provider.Connect(ctx)
	return &portal{web: server, close: fl.Close}, nil
}

func keysOf(cfg config.Config) []auth.Key {
	keys := make([]auth.Key, 0, len(cfg.Session.Keys))
	for _, key := range cfg.Session.Keys {
		keys = append(keys, auth.Key{ID: key.ID, Secret: key.Secret})
	}
	return keys
}

func provider(cfg config.Config, log *slog.Logger) auth.Settings {
	base := cfg.PublicURL.String()
	return auth.Settings{
		Issuer: cfg.OIDC.Issuer, ClientID: cfg.OIDC.ClientID, ClientSecret: cfg.OIDC.ClientSecret,
		Scopes: cfg.OIDC.Scopes, NameClaim: cfg.OIDC.NameClaim, GroupsClaim: cfg.OIDC.GroupsClaim,
		NamePrefix: cfg.OIDC.NamePrefix, GroupsPrefix: cfg.OIDC.GroupsPrefix,
		Callback: base + "/auth/callback", SignedOut: base + "/auth/signed-out", Log: log,
	}
}

// registry has the process's own metrics beside those of web.
func registry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

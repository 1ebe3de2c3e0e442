package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"k8s.io/klog/v2"

	"github.com/capstan-portal/capstan/internal/config"
)

// How long open requests and sockets get to end.
const farewellTime = 15 * time.Second

// serve reads the settings and runs the portal until ctx ends.
func serve(ctx context.Context, args []string) int {
	cfg, err := config.Load(config.Source{Args: args, Env: os.LookupEnv, ReadFile: os.ReadFile, Usage: os.Stdout})
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(os.Stderr, "capstan: "+err.Error())
		return 2
	}
	log := newLog(cfg.LogFormat)
	klog.SetSlogLogger(log) // client-go logs there
	if err := listen(ctx, cfg, log); err != nil {
		log.Error("capstan ends", "error", err)
		return 1
	}
	return 0
}

func newLog(format string) *slog.Logger {
	if format == "text" {
		return slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	return slog.New(slog.NewJSONHandler(os.Stderr, nil))
}

// listen answers requests until ctx ends, then says farewell to open pages and
// lets open requests end.
func listen(ctx context.Context, cfg config.Config, log *slog.Logger) error {
	listener, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return fmt.Errorf("can't listen on %s (CAPSTAN_LISTEN): %w", cfg.Listen, err)
	}
	portal, err := wire(ctx, cfg, log)
	if err != nil {
		_ = listener.Close()
		return err
	}
	defer portal.close()
	server := &http.Server{
		Handler:           portal.web,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	log.Info("capstan serves", "url", cfg.PublicURL.String(), "listen", listener.Addr().String(), "version", currentVersion())
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Info("capstan shuts down")
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewellTime)
	defer cancel()
	portal.web.Shutdown(end)
	return server.Shutdown(end)
}

// Package control lets one command steer a sandbox that another one runs: a
// few verbs over HTTP on a unix socket in the sandbox's folder.
package control

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// Component is a part of the sandbox that can be stopped and started.
type Component interface {
	Name() string
	Start(context.Context) error
	Stop(context.Context) error
	Running() bool
}

// Server answers commands.
type Server struct {
	// Components by the order in which they are listed.
	Components []Component
	// SetDisabled bars an account or admits it again.
	SetDisabled func(name string, disabled bool) error
}

// verbTimeout bounds one command.
const verbTimeout = 2 * time.Minute

// Serve listens on a socket until ctx is done.
func (s *Server) Serve(ctx context.Context, socket string) error {
	if err := os.RemoveAll(socket); err != nil {
		return fmt.Errorf("an old control socket is in the way: %w", err)
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return fmt.Errorf("no control socket (a path longer than about 100 bytes is too long for one): %w", err)
	}
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	go server.Serve(listener) //nolint:errcheck // ends with ErrServerClosed
	return nil
}

// Handler is the route table.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /components", s.list)
	mux.HandleFunc("POST /components/{name}/{verb}", s.component)
	mux.HandleFunc("POST /accounts/{name}/{verb}", s.account)
	return mux
}

func (s *Server) list(w http.ResponseWriter, _ *http.Request) {
	running := map[string]bool{}
	for _, c := range s.Components {
		running[c.Name()] = c.Running()
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(running); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func (s *Server) component(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), verbTimeout)
	defer cancel()
	c, err := s.find(r.PathValue("name"))
	if err != nil {
		answer(w, http.StatusNotFound, err)
		return
	}
	switch r.PathValue("verb") {
	case "start":
		err = c.Start(ctx)
	case "stop":
		err = c.Stop(ctx)
	default:
		err = fmt.Errorf("a component can be stopped and started, not %q", r.PathValue("verb"))
	}
	answer(w, http.StatusConflict, err)
}

func (s *Server) find(name string) (Component, error) {
	var names []string
	for _, c := range s.Components {
		if c.Name() == name {
			return c, nil
		}
		names = append(names, c.Name())
	}
	return nil, fmt.Errorf("there is no component %q; there are %s", name, strings.Join(names, ", "))
}

func (s *Server) account(w http.ResponseWriter, r *http.Request) {
	var err error
	switch r.PathValue("verb") {
	case "disable":
		err = s.SetDisabled(r.PathValue("name"), true)
	case "enable":
		err = s.SetDisabled(r.PathValue("name"), false)
	default:
		err = fmt.Errorf("an account can be disabled and enabled, not %q", r.PathValue("verb"))
	}
	answer(w, http.StatusNotFound, err)
}

func answer(w http.ResponseWriter, status int, err error) {
	if err != nil {
		http.Error(w, err.Error(), status)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

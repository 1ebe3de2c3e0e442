package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/apply"
	"github.com/capstan-portal/capstan/cmd/sandbox/internal/binaries"
	"github.com/capstan-portal/capstan/cmd/sandbox/internal/capi"
	"github.com/capstan-portal/capstan/cmd/sandbox/internal/control"
	"github.com/capstan-portal/capstan/cmd/sandbox/internal/hub"
	"github.com/capstan-portal/capstan/cmd/sandbox/internal/identity"
	"github.com/capstan-portal/capstan/cmd/sandbox/internal/portal"
	"github.com/capstan-portal/capstan/cmd/sandbox/internal/process"
	"github.com/capstan-portal/capstan/cmd/sandbox/seed"
)

// clientID is the portal's name at the identity provider.
const clientID = "capstan"

// sandbox is everything that one `sandbox up` runs.
type sandbox struct {
	o        options
	set      binaries.Set
	progress io.Writer
	began    time.Time

	hub      *hub.Hub
	managers []*process.Process
	identity *identity.Provider
	token    *portal.Token
	writer   *apply.Client

	ended chan string // a component that ended by itself
	tasks sync.WaitGroup
}

func newSandbox(o options, set binaries.Set, progress io.Writer) *sandbox {
	return &sandbox{o: o, set: set, progress: progress, began: time.Now(), ended: make(chan string, 16)}
}

func (s *sandbox) say(format string, args ...any) {
	fmt.Fprintf(s.progress, "%6.1fs  %s\n", time.Since(s.began).Seconds(), fmt.Sprintf(format, args...))
}

// start brings up everything that must answer before the sandbox is ready.
func (s *sandbox) start(ctx context.Context) error {
	for _, step := range []struct {
		what string
		do   func(context.Context) error
	}{
		{"identity provider", s.startIdentity},
		{"etcd, kube-apiserver and kube-controller-manager", s.startHub},
		{"Cluster API", s.startManagers},
		{"the portal's rights and token", s.grantPortal},
		{"people's rights", s.grantPeople},
		{"control socket", s.serveControl},
	} {
		if err := step.do(ctx); err != nil {
			return err
		}
		s.say("%s: ready", step.what)
	}
	return s.describe()
}

func (s *sandbox) startIdentity(ctx context.Context) (err error) {
	s.identity, err = identity.New(identity.Config{
		Port: s.o.issuerPort, PortalURL: s.o.portalURL, TTL: s.o.ttl,
		ClientID: clientID, ClientSecret: s.o.clientSecret,
	})
	if err != nil {
		return err
	}
	return s.identity.Start(ctx)
}

func (s *sandbox) startHub(ctx context.Context) (err error) {
	programs := hub.Programs{
		Etcd: s.set.Path("etcd"), APIServer: s.set.Path("kube-apiserver"), ControllerManager: s.set.Path("kube-controller-manager"),
	}
	spawner := process.NewSpawner()
	s.hub, err = hub.New(s.o.dir, programs, spawner, s.lost)
	if err != nil {
		return err
	}
	if err := s.hub.Start(ctx); err != nil {
		return err
	}
	s.writer, err = apply.NewClient(s.hub.Config())
	return err
}

func (s *sandbox) startManagers(ctx context.Context) (err error) {
	install := capi.Managers{
		Dir: s.o.dir, Programs: s.set.Bin(), Manifests: s.set.Manifests(),
		Hub: s.hub, Spawner: s.hub.Etcd.Spawner, Lost: s.lost, TypesOnly: !s.o.managers,
	}
	s.managers, err = install.Install(ctx)
	if err != nil {
		return err
	}
	var config []*unstructured.Unstructured
	if s.o.extension {
		p, c, err := install.Extension()
		if err != nil {
			return err
		}
		s.managers, config = append(s.managers, p), append(config, c)
	}
	if err := capi.Start(ctx, s.managers); err != nil {
		return err
	}
	return s.writer.ApplyAll(ctx, config)
}

func (s *sandbox) grantPortal(ctx context.Context) error {
	var overlays []string
	if s.o.constrainImpersonation {
		overlays = append(overlays, "constrained-impersonation")
	}
	objects, err := portal.Manifests(s.o.deploy, overlays...)
	if err != nil {
		return err
	}
	if err := s.writer.ApplyAll(ctx, objects); err != nil {
		return err
	}
	s.token, err = portal.NewToken(s.hub.Config(), filepath.Join(s.o.dir, "portal.token"), s.o.tokenTTL)
	if err != nil {
		return err
	}
	if err := s.token.Renew(ctx); err != nil {
		return err
	}
	return s.hub.WriteTokenKubeconfig(s.portalKubeconfig(), s.token.File)
}

func (s *sandbox) grantPeople(ctx context.Context) error { return seed.People(ctx, s.writer) }

func (s *sandbox) portalKubeconfig() string { return filepath.Join(s.o.dir, "portal.kubeconfig") }
func (s *sandbox) socket() string           { return filepath.Join(s.o.dir, "control.sock") }

func (s *sandbox) serveControl(ctx context.Context) error {
	server := &control.Server{SetDisabled: s.identity.SetDisabled}
	for _, p := range s.processes() {
		server.Components = append(server.Components, p)
	}
	server.Components = append(server.Components, s.identity)
	return server.Serve(ctx, s.socket())
}

// processes are all children in the order of their start.
func (s *sandbox) processes() []*process.Process {
	if s.hub == nil {
		return nil
	}
	return append([]*process.Process{s.hub.Etcd, s.hub.APIServer, s.hub.ControllerManager}, s.managers...)
}

func (s *sandbox) describe() error {
	d := Description{
		PID: os.Getpid(), Kubeconfig: s.hub.Kubeconfig, PortalKubeconfig: s.portalKubeconfig(), PortalTokenFile: s.token.File,
		APIServer: s.hub.URL(), Issuer: s.identity.Issuer(), ClientID: clientID, ClientSecret: s.o.clientSecret,
		Accounts: identity.Accounts(), Control: s.socket(), Logs: filepath.Join(s.o.dir, "logs"), PIDs: map[string]int{},
	}
	for _, p := range s.processes() {
		d.PIDs[p.Name()] = p.PID()
	}
	return d.write(s.o.dir)
}

// stop ends everything, the last started first.
func (s *sandbox) stop(ctx context.Context) error {
	s.tasks.Wait()
	var failures []error
	children := s.processes()
	slices.Reverse(children)
	// Managers don't depend on each other: end them side by side.
	var group sync.WaitGroup
	var mu sync.Mutex
	for _, p := range children[:min(len(s.managers), len(children))] {
		group.Go(func() {
			if err := p.Stop(ctx); err != nil {
				mu.Lock()
				failures = append(failures, err)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	for _, p := range children {
		failures = append(failures, p.Stop(ctx))
	}
	if s.identity != nil {
		failures = append(failures, s.identity.Stop(ctx))
	}
	return errors.Join(failures...)
}

// Package fleet is the only one that dials the management cluster.
//
//	informers ─▶ stores, indexes ─▶ read.go ── topology ──▶ web      (memory, filtered by auth.Access)
//	    └─ event handlers ─▶ hub ─▶ subscriptions                     (keys only, never objects)
//	RBAC informers ─▶ auth.Access.Drop ─▶ hub
//	write.go ── live read, JSON patch, as the person ──▶ management cluster
//
// One set of shared informers, run by the portal's own account, serves
// everybody; what a person gets of it is decided by their own rights. Whatever
// is written, or read past the cache, is done impersonating the person.
// Cached objects are shared and never changed.
package fleet

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/topology"
)

// Config is what Connect needs to know; zero values take the defaults.
type Config struct {
	// Kubeconfig is a path; its current context is used. A tokenFile in it is
	// read again whenever it may have changed.
	Kubeconfig string
	// InCluster uses the ServiceAccount of the pod instead.
	InCluster bool
	// MaxReplicas is the maximum per pool, topology.DefaultMax by default.
	MaxReplicas int
	// DecisionTTL is how long an access decision is kept at most, 5 minutes by
	// default.
	DecisionTTL time.Duration
	// Probe is how often the management cluster is asked whether it is there,
	// 2 s by default.
	Probe time.Duration
}

// Fleet is the management cluster as the portal sees it.
type Fleet struct {
	cfg     Config
	log     *slog.Logger
	clients *clients
	cache   *objects
	access  *auth.Access
	hub     *hub
	link    *link
	rows    *summaries
	words   words

	stop    context.CancelFunc
	running sync.WaitGroup
}

// Connect starts everything and returns at once: Ready tells when the cache is
// filled. A management cluster that can't be reached is no error, it may come;
// one that answers and doesn't serve the CAPI version needed is.
func Connect(ctx context.Context, cfg Config, log *slog.Logger) (*Fleet, error) {
	if cfg.MaxReplicas <= 0 {
		cfg.MaxReplicas = topology.DefaultMax
	}
	if cfg.Probe <= 0 {
		cfg.Probe = defaultProbe
	}
	c, err := dial(cfg)
	if err != nil {
		return nil, err
	}
	known, err := c.checkServed(ctx)
	if err != nil {
		return nil, err
	}
	f := &Fleet{cfg: cfg, log: log, clients: c, hub: newHub(), rows: newSummaries(), words: words{heard: map[wordsKey]heard{}}}
	f.link = newLink(f.linkChanged)
	f.access = auth.NewAccess(reviewer{c}, auth.AccessOptions{TTL: cfg.DecisionTTL, Dropped: f.hub.wakeUser})
	if f.cache, err = f.newObjects(); err != nil {
		return nil, err
	}
	f.start(context.WithoutCancel(ctx), known)
	return f, nil
}

func (f *Fleet) start(ctx context.Context, known bool) {
	ctx, f.stop = context.WithCancel(ctx)
	if !known {
		f.log.Warn("management cluster not reachable yet, will keep trying")
		f.running.Go(func() { f.checkLater(ctx) })
	}
	f.running.Go(func() { f.link.run(ctx, f.cfg.Probe, f.clients.probe) })
	f.running.Go(func() { f.access.Run(ctx) })
	f.cache.run(ctx, &f.running)
}

// checkLater checks the version of CAPI once the management cluster answers.
// It is too late to refuse to start: Ready stays false and the log says why.
func (f *Fleet) checkLater(ctx context.Context) {
	_ = wait.PollUntilContextCancel(ctx, startTimeout, false, func(ctx context.Context) (bool, error) {
		known, err := f.clients.checkServed(ctx)
		if err != nil {
			f.log.Error("management cluster can't be used", "err", err)
		}
		return known, nil
	})
}

// linkChanged tells the log and everybody who looks.
func (f *Fleet) linkChanged() {
	if now := f.link.state(); now.Lost {
		f.log.Warn("management cluster not heard", "since", now.Since)
	} else {
		f.log.Info("management cluster heard again")
	}
	f.hub.wakeAll()
}

// Ready tells whether the cache has been filled once.
func (f *Fleet) Ready() bool { return f.cache.synced() }

// Close ends everything that Connect started and waits for it.
func (f *Fleet) Close() {
	f.stop()
	f.running.Wait()
}

// Connection says whether the management cluster is heard.
func (f *Fleet) Connection() topology.Connection { return f.link.state() }

// Version grows with every change before anybody is woken up by it: what is
// read at one version shows all that subscribers were woken up for until then.
func (f *Fleet) Version() uint64 { return f.hub.version.Load() }

// Subscribe wakes up when one of the topics may look different to u: an object
// changed, one of u's decisions was dropped, or the connection was lost or
// came back. The zero topic stands for what lists show: Clusters, the portal's
// own changes and ClusterClasses; it isn't woken by each machine.
func (f *Fleet) Subscribe(u auth.User, topics ...topology.Topic) topology.Subscription {
	return f.hub.subscribe(u.Key(), topics)
}

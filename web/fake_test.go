package web

import (
	"context"
	"sync"
	"time"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/topology"
)

// fakeFleet is a management cluster made of domain values. Whoever is in
// readers may read everything.
type fakeFleet struct {
	mu       sync.Mutex
	clusters map[topology.Ref]topology.Cluster
	classes  []catalog.Class

	blueprints map[topology.Ref]catalog.Blueprint
	creatable  []string
	specimens  map[topology.Ref]*clusterv1.Cluster
	plans      []planned
	warnings   []string
	templates  []catalog.Target // that were read

	readers  map[string]bool
	outcomes []topology.Outcome
	broken   error // what reads fail with
	panics   bool
	link     topology.Connection
	written  bool // what Await says
	scaled   []scaled
	answer   topology.Written
	refusal  error
	owner    topology.Owner
	requests []string // request ids of the writes
	subs     map[*fakeSubscription]bool
	version  uint64
}

type planned struct {
	user auth.User
	plan topology.Plan
	dry  bool
}

type scaled struct {
	user auth.User
	wish topology.Wish
	dry  bool
}

type fakeSubscription struct {
	wake  chan struct{}
	fleet *fakeFleet
}

func (f *fakeSubscription) Wake() <-chan struct{} { return f.wake }

func (f *fakeSubscription) Close() {
	f.fleet.mu.Lock()
	defer f.fleet.mu.Unlock()
	delete(f.fleet.subs, f)
}

func newFakeFleet() *fakeFleet {
	f := &fakeFleet{clusters: map[topology.Ref]topology.Cluster{}, readers: map[string]bool{"oidc:ada": true},
		subs: map[*fakeSubscription]bool{}, answer: topology.Written{ResourceVersion: "42"}}
	for _, name := range []string{"one", "two"} {
		c := cannedCluster(name)
		f.clusters[c.Ref] = c
	}
	f.classes = []catalog.Class{{Namespace: "catalog", Name: "plain", UID: "c1", Versions: []string{"v1.35.0"}},
		{Namespace: "catalog", Name: "rich", UID: "c2", Workers: []string{"gpu"}}}
	return f
}

func cannedCluster(name string) topology.Cluster {
	wish, now := 3, time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	counts := topology.Counts{Desired: 3, Total: 3, Ready: 3, Available: 3, UpToDate: 3}
	return topology.Cluster{
		Summary: topology.Summary{Ref: topology.Ref{Namespace: "team-a", Name: name}, UID: "uid-" + name,
			Class: topology.Ref{Namespace: "catalog", Name: "plain"}, Version: "v1.35.0", Created: now,
			State: topology.State{Kind: topology.StateHealthy}, ControlPlane: counts, Workers: counts},
		ResourceVersion: "7", Topology: true, CPKind: "KubeadmControlPlane",
		CP: topology.Pool{Name: "control-plane", Kind: topology.PoolControlPlane, Mode: topology.ModeFixed, Wish: &wish, Counts: counts, Limit: 9},
		Pools: []topology.Pool{{Name: "md-0", Class: "default", Kind: topology.PoolMachineDeployment, Mode: topology.ModeFixed,
			Wish: &wish, Counts: counts, Limit: 12}},
		May: topology.Rights{Scale: true},
	}
}

// change edits a cluster and wakes everybody.
func (f *fakeFleet) change(name string, edit func(*topology.Cluster)) {
	f.mu.Lock()
	ref := topology.Ref{Namespace: "team-a", Name: name}
	c := f.clusters[ref]
	edit(&c)
	f.clusters[ref] = c
	f.mu.Unlock()
	f.wake()
}

// do runs under the lock and wakes everybody.
func (f *fakeFleet) do(change func()) {
	f.mu.Lock()
	change()
	f.mu.Unlock()
	f.wake()
}

func (f *fakeFleet) wake() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.version++
	for s := range f.subs {
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
}

func (f *fakeFleet) subscribers() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.subs)
}

func (f *fakeFleet) Clusters(_ context.Context, u auth.User) ([]topology.Summary, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []topology.Summary
	for _, c := range f.clusters {
		if f.readers[u.Name] {
			all = append(all, c.Summary)
		}
	}
	return all, f.broken
}

func (f *fakeFleet) Cluster(_ context.Context, u auth.User, ref topology.Ref) (topology.Cluster, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, ok := f.clusters[ref]
	if !ok || !f.readers[u.Name] {
		return topology.Cluster{}, notFound()
	}
	return c, f.broken
}

func (f *fakeFleet) Classes(context.Context, auth.User) ([]catalog.Class, error) {
	return f.classes, f.broken
}

func (f *fakeFleet) Class(_ context.Context, u auth.User, ref topology.Ref) (catalog.Blueprint, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	b, ok := f.blueprints[ref]
	if !ok || !f.readers[u.Name] {
		return catalog.Blueprint{}, notFound()
	}
	return b, f.broken
}

func (f *fakeFleet) Template(_ context.Context, _ auth.User, _ topology.Ref, t catalog.Target) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.templates = append(f.templates, t)
	if f.refusal != nil {
		return "", f.refusal
	}
	return "kind: " + t.Kind + "\nspec: {secret: <none>}\n", nil
}

func (f *fakeFleet) CreatableIn(_ context.Context, u auth.User) ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.readers[u.Name] {
		return nil, f.broken
	}
	return f.creatable, f.broken
}

func (f *fakeFleet) Create(_ context.Context, u auth.User, p topology.Plan, dry bool) (topology.Created, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.plans = append(f.plans, planned{u, p, dry})
	if f.refusal != nil {
		return topology.Created{}, f.refusal
	}
	return topology.Created{Ref: p.Ref, ResourceVersion: "43", Warnings: f.warnings}, nil
}

func (f *fakeFleet) created() []planned {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.plans
}

func (f *fakeFleet) Specimen(_ context.Context, u auth.User, ref topology.Ref) (*clusterv1.Cluster, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, ok := f.specimens[ref]
	if !ok || !f.readers[u.Name] {
		return nil, notFound()
	}
	return c, f.broken
}

func (f *fakeFleet) Rights(context.Context, auth.User) ([]auth.NamespaceRights, error) {
	if f.panics {
		panic("boom")
	}
	return []auth.NamespaceRights{{Namespace: "team-a", ListClusters: true}}, f.broken
}

func (f *fakeFleet) Scale(ctx context.Context, u auth.User, w topology.Wish, dry bool) (topology.Written, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.scaled = append(f.scaled, scaled{u, w, dry})
	f.requests = append(f.requests, auth.RequestID(ctx))
	if f.refusal != nil {
		return topology.Written{}, f.refusal
	}
	return f.answer, nil
}

func (f *fakeFleet) wishes() []scaled {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.scaled
}

func (f *fakeFleet) Fresh(context.Context, auth.User, topology.Wish) (topology.Owner, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.owner, nil
}

func (f *fakeFleet) Await(ctx context.Context, _ topology.Ref, _ string) bool {
	f.mu.Lock()
	written := f.written
	f.mu.Unlock()
	if !written {
		<-ctx.Done()
	}
	return written
}

func (f *fakeFleet) Subscribe(auth.User, ...topology.Topic) topology.Subscription {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &fakeSubscription{wake: make(chan struct{}, 1), fleet: f}
	f.subs[s] = true
	return s
}

func (f *fakeFleet) Version() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.version
}

func (f *fakeFleet) Connection() topology.Connection {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.link
}

func (f *fakeFleet) Outcomes(context.Context, auth.User) ([]topology.Outcome, []topology.Ref, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.outcomes, nil, nil
}

var _ Fleet = (*fakeFleet)(nil)

func conflict() error { return fail.New(fail.Conflict, notFound().Text) }

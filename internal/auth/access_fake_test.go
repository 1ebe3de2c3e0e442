package auth

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fakeReviewer counts what it is asked.
type fakeReviewer struct {
	mu      sync.Mutex
	reviews []Question
	asked   []string // namespaces whose rules were listed

	allow      func(u User, q Question) bool
	rules      func(namespace string) []Rule
	incomplete bool
	err        error
	wait       chan struct{} // answers come when it is closed
}

func (f *fakeReviewer) Review(ctx context.Context, u User, q Question) (bool, error) {
	f.mu.Lock()
	f.reviews = append(f.reviews, q)
	f.mu.Unlock()
	return f.allow != nil && f.allow(u, q), f.answer(ctx)
}

func (f *fakeReviewer) Rules(ctx context.Context, _ User, ns string) ([]Rule, bool, error) {
	f.mu.Lock()
	f.asked = append(f.asked, ns)
	f.mu.Unlock()
	var rules []Rule
	if f.rules != nil {
		rules = f.rules(ns)
	}
	return rules, !f.incomplete, f.answer(ctx)
}

func (f *fakeReviewer) answer(ctx context.Context) error {
	if f.wait == nil {
		return f.err
	}
	select {
	case <-f.wait:
		return f.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// cost is how many reviews and rule listings there were since the last call.
func (f *fakeReviewer) cost() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := fmt.Sprintf("%d reviews, %d listings", len(f.reviews), len(f.asked))
	f.reviews, f.asked = nil, nil
	return s
}

func (f *fakeReviewer) wantCost(t *testing.T, what, want string) {
	t.Helper()
	if got := f.cost(); got != want {
		t.Errorf("%s: cost %s, want %s", what, got, want)
	}
}

var (
	clusters = Kind{Group: "cluster.x-k8s.io", Resource: "clusters"}
	machines = Kind{Group: "cluster.x-k8s.io", Resource: "machines"}
	alice    = User{Name: "oidc:alice", Groups: []string{"oidc:team-a"}}
)

func rule(verbs []string, k Kind, names ...string) Rule {
	return Rule{Verbs: verbs, Groups: []string{k.Group}, Resources: []string{k.Resource}, Names: names}
}

func manyNamespaces(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("ns-%d", i)
	}
	return out
}

// pass lets time pass inside a synctest bubble.
func pass(d time.Duration) {
	time.Sleep(d) //nolint:forbidigo // the bubble's clock, nobody waits
	synctest.Wait()
}

func visible(t *testing.T, a *Access, u User, namespaces []string) Sight {
	t.Helper()
	s, err := a.Visible(t.Context(), u, "list", clusters, namespaces)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func may(t *testing.T, a *Access, u User, q Question) bool {
	t.Helper()
	yes, err := a.May(t.Context(), u, q)
	if err != nil {
		t.Fatal(err)
	}
	return yes
}

package auth

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestMatters(t *testing.T) {
	tests := map[string]struct {
		change Change
		want   bool
	}{
		"everybody":      {Change{}, true},
		"by name":        {Change{Users: []string{"oidc:bob", "oidc:alice"}}, true},
		"by group":       {Change{Groups: []string{"oidc:team-a"}}, true},
		"authenticated":  {Change{Groups: []string{"system:authenticated"}}, true},
		"somebody else":  {Change{Users: []string{"oidc:bob"}}, false},
		"another group":  {Change{Groups: []string{"oidc:team-b"}}, false},
		"name as group":  {Change{Groups: []string{"oidc:alice"}}, false},
		"nobody's group": {Change{Groups: []string{"system:unauthenticated"}}, false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tc.change.Matters(alice); got != tc.want {
				t.Errorf("matters to alice: %t, want %t", got, tc.want)
			}
		})
	}
}

func TestDropTakesOnlyWhatCouldMatter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeReviewer{}
		a := NewAccess(f, AccessOptions{})
		bob := User{Name: "oidc:bob"}
		namespaces := manyNamespaces(10)
		visible(t, a, alice, namespaces)
		visible(t, a, bob, namespaces)
		f.cost()
		a.Drop(Change{Namespace: "ns-3", Groups: []string{"oidc:team-a"}})
		visible(t, a, alice, namespaces)
		f.wantCost(t, "alice after a change in ns-3", "0 reviews, 1 listings")
		visible(t, a, bob, namespaces)
		f.wantCost(t, "bob after a change for team-a", "0 reviews, 0 listings")
		a.Drop(Change{Users: []string{"oidc:bob"}})
		visible(t, a, bob, namespaces)
		f.wantCost(t, "bob after a change everywhere", "1 reviews, 10 listings")
	})
}

// The authorizer may answer from its old state for a moment.
func TestDropIsRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var told []time.Duration
		began := time.Now()
		f := &fakeReviewer{}
		var a *Access
		a = NewAccess(f, AccessOptions{Dropped: func(UserKey) {
			mu.Lock()
			told = append(told, time.Since(began))
			mu.Unlock()
			go look(a) // an open page asks again
		}})
		visible(t, a, alice, []string{"ns"})
		a.Drop(Change{Namespace: "ns"})
		pass(time.Minute)
		want := []time.Duration{0, time.Second, 5 * time.Second, 20 * time.Second}
		if !slices.Equal(told, want) {
			t.Errorf("dropped at %v, want %v", told, want)
		}
		f.wantCost(t, "all of it", "1 reviews, 5 listings")
	})
}

func TestAnAnswerUnderWayWhenDroppedIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeReviewer{wait: make(chan struct{})}
		a := NewAccess(f, AccessOptions{})
		go look(a)
		synctest.Wait()
		a.Drop(Change{})
		close(f.wait)
		synctest.Wait()
		f.cost()
		visible(t, a, alice, []string{"ns"})
		f.wantCost(t, "asking after the drop", "1 reviews, 0 listings")
	})
}

// look asks from another goroutine, whose answer doesn't matter.
func look(a *Access) {
	_, _ = a.Visible(context.Background(), alice, "list", clusters, []string{"ns"})
}

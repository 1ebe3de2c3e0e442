package auth

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhoMayListEverywhereCostsOneReview(t *testing.T) {
	f := &fakeReviewer{allow: func(_ User, q Question) bool { return q.Namespace == "" && q.Verb == "list" }}
	a := NewAccess(f, AccessOptions{})
	for range 3 {
		if s := visible(t, a, alice, manyNamespaces(500)); !s.Sees("ns-7", "x") {
			t.Fatal("a person with cluster-wide list sees nothing")
		}
	}
	f.wantCost(t, "three lists over 500 namespaces", "1 reviews, 0 listings")
}

func TestOneListingPerNamespaceAnswersEverything(t *testing.T) {
	f := &fakeReviewer{rules: func(ns string) []Rule {
		if ns == "ns-1" {
			return []Rule{rule([]string{"get", "list"}, clusters)}
		}
		return nil
	}}
	a := NewAccess(f, AccessOptions{})
	s := visible(t, a, alice, manyNamespaces(20))
	if !s.Sees("ns-1", "x") || s.Sees("ns-2", "x") || s.Sees("elsewhere", "x") {
		t.Error("the rows of ns-1 alone should be seen")
	}
	f.wantCost(t, "first list", "1 reviews, 20 listings")
	visible(t, a, alice, manyNamespaces(20))
	if !may(t, a, alice, Question{Verb: "get", Kind: clusters, Namespace: "ns-1", Name: "x"}) {
		t.Error("get should be permitted in ns-1")
	}
	if may(t, a, alice, Question{Verb: "list", Kind: machines, Namespace: "ns-1"}) {
		t.Error("each kind has its own right: machines should be denied")
	}
	f.wantCost(t, "everything after it", "0 reviews, 0 listings")
}

// Where somebody may read everything and create in one namespace, they may
// create in that one, whether the rules can be listed or not; a right to one
// name is none to the kind.
func TestWhere(t *testing.T) {
	grants := map[string][]Rule{
		"reads":   {rule([]string{"get", "list"}, clusters)},
		"creates": {rule([]string{"create"}, clusters)},
		"named":   {rule([]string{"create"}, clusters, "one")},
	}
	for _, incomplete := range []bool{false, true} {
		f := &fakeReviewer{incomplete: incomplete, rules: func(ns string) []Rule { return grants[ns] },
			allow: func(_ User, q Question) bool {
				return q.Namespace == "creates" && q.Verb == "create" || q.Namespace == "reads" && q.Verb != "create"
			}}
		got, err := NewAccess(f, AccessOptions{}).Where(t.Context(), alice, "create", clusters, []string{"reads", "named", "creates"})
		if err != nil || len(got) != 1 || got[0] != "creates" {
			t.Errorf("rules incomplete %v: may create in %v (%v), want in creates alone", incomplete, got, err)
		}
	}
}

func TestRules(t *testing.T) {
	star := []string{"*"}
	tests := map[string]struct {
		rules     []Rule
		row, page bool // of the cluster "mine"
		other     bool // row of another cluster
	}{
		"nothing":           {},
		"list alone":        {rules: []Rule{rule([]string{"list"}, clusters)}, row: true, other: true},
		"get alone":         {rules: []Rule{rule([]string{"get"}, clusters)}, row: true, page: true, other: true},
		"get by name":       {rules: []Rule{rule([]string{"get"}, clusters, "mine")}, row: true, page: true},
		"list by name":      {rules: []Rule{rule([]string{"list"}, clusters, "mine")}},
		"watch alone":       {rules: []Rule{rule([]string{"watch"}, clusters)}},
		"stars":             {rules: []Rule{{Verbs: star, Groups: star, Resources: star}}, row: true, page: true, other: true},
		"another group":     {rules: []Rule{{Verbs: star, Groups: []string{"apps"}, Resources: star}}},
		"a subresource":     {rules: []Rule{{Verbs: star, Groups: star, Resources: []string{"clusters/status", "*/scale"}}}},
		"two rules, a name": {rules: []Rule{rule([]string{"list"}, machines), rule(star, clusters, "mine")}, row: true, page: true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			a := NewAccess(&fakeReviewer{rules: func(string) []Rule { return tc.rules }}, AccessOptions{})
			s := visible(t, a, alice, []string{"ns"})
			if got := s.Sees("ns", "mine"); got != tc.row {
				t.Errorf("row: %t, want %t", got, tc.row)
			}
			if got := s.Sees("ns", "other"); got != tc.other {
				t.Errorf("row of another: %t, want %t", got, tc.other)
			}
			if got := may(t, a, alice, Question{Verb: "get", Kind: clusters, Namespace: "ns", Name: "mine"}); got != tc.page {
				t.Errorf("page: %t, want %t", got, tc.page)
			}
		})
	}
}

func TestIncompleteRulesAreReviewedOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeReviewer{
			incomplete: true,
			rules:      func(string) []Rule { return []Rule{rule([]string{"get"}, clusters, "mine", "lost")} },
			allow: func(_ User, q Question) bool {
				return q.Namespace == "open" || q.Name == "mine"
			},
		}
		a := NewAccess(f, AccessOptions{})
		s := visible(t, a, alice, []string{"open", "shut"})
		if !s.Sees("open", "any") || !s.Sees("shut", "mine") || s.Sees("shut", "lost") {
			t.Error("the reviews should decide")
		}
		f.cost()
		pass(incompleteTTL)
		visible(t, a, alice, []string{"open"})
		f.wantCost(t, "after 15 s", "2 reviews, 1 listings")
	})
}

func TestDecisionsGetOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeReviewer{}
		a := NewAccess(f, AccessOptions{})
		visible(t, a, alice, []string{"ns"})
		f.cost()
		pass(defaultTTL - time.Second)
		visible(t, a, alice, []string{"ns"})
		f.wantCost(t, "before 5 minutes", "0 reviews, 0 listings")
		pass(time.Second)
		visible(t, a, alice, []string{"ns"})
		f.wantCost(t, "after 5 minutes", "1 reviews, 1 listings")
	})
}

func TestRunDropsOldDecisionsAndForgetsIdlePeople(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dropped := make(chan UserKey, 9)
		f := &fakeReviewer{}
		a := NewAccess(f, AccessOptions{Dropped: func(k UserKey) { dropped <- k }})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go a.Run(ctx)
		visible(t, a, alice, []string{"ns"})
		pass(defaultTTL + sweepEvery)
		if len(dropped) != 1 || <-dropped != alice.Key() {
			t.Error("after the TTL alice, and she alone, should be told")
		}
		pass(idleTime)
		a.mu.Lock()
		defer a.mu.Unlock()
		if len(a.people) != 0 {
			t.Error("alice, idle for 15 minutes, should be forgotten")
		}
	})
}

func TestManyAskAtOnceOneIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeReviewer{wait: make(chan struct{})}
		a := NewAccess(f, AccessOptions{})
		gone, cancel := context.WithCancel(t.Context())
		var first error
		go func() { _, first = a.Visible(gone, alice, "list", clusters, []string{"ns"}) }()
		synctest.Wait()
		var others sync.WaitGroup
		for range 50 {
			others.Go(func() {
				if _, err := a.Visible(t.Context(), alice, "list", clusters, []string{"ns"}); err != nil {
					t.Errorf("who still waits should get the answer: %v", err)
				}
			})
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		if !errors.Is(first, context.Canceled) {
			t.Errorf("who left got %v, want canceled", first)
		}
		close(f.wait)
		others.Wait()
		f.wantCost(t, "51 people", "1 reviews, 1 listings")
	})
}

func TestFailuresAreNotRemembered(t *testing.T) {
	f := &fakeReviewer{err: errors.New("down")}
	a := NewAccess(f, AccessOptions{})
	if _, err := a.Visible(t.Context(), alice, "list", clusters, []string{"ns"}); err == nil {
		t.Fatal("want the error")
	}
	f.err = nil
	visible(t, a, alice, []string{"ns"})
}

func TestPeopleAreToldApartByNameAndGroups(t *testing.T) {
	a := User{Name: "x", Groups: []string{"g", "h"}}
	if a.Key() != (User{Name: "x", Groups: []string{"h", "g"}}).Key() {
		t.Error("the order of groups should not matter")
	}
	for _, other := range []User{{Name: "x", Groups: []string{"g"}}, {Name: "y", Groups: []string{"g", "h"}}, {Name: "x"}} {
		if a.Key() == other.Key() {
			t.Errorf("%v has the key of %v", other, a)
		}
	}
}

func TestEqualRulesAreKeptOnce(t *testing.T) {
	many := []Rule{rule([]string{"get"}, clusters), rule([]string{"list"}, machines)}
	turn := 0
	f := &fakeReviewer{rules: func(string) []Rule {
		turn++
		if turn%2 == 0 {
			return []Rule{many[1], many[0]} // the authorizer lists them in no order
		}
		return many
	}}
	a := NewAccess(f, AccessOptions{Parallel: 1})
	visible(t, a, alice, manyNamespaces(200))
	if n := len(a.of(alice).shared); n != 1 {
		t.Errorf("%d sets of rules are kept for 200 equal namespaces, want 1", n)
	}
}

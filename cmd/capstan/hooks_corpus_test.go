//go:build sandbox && corpus

package main

import (
	"fmt"
	"sync"
	"testing"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// The variables of real classes on the real webhooks, on templates that are
// installed and without patches:
//
//	CLUSTERCLASS_CORPUS=DIR go test -tags 'sandbox corpus' -run TestCorpusOnRealWebhooks -v -timeout 60m ./cmd/capstan
func TestCorpusOnRealWebhooks(t *testing.T) {
	h := newHooks(t)
	var mu sync.Mutex
	var total hookCounts
	classes := 0
	t.Run("classes", func(t *testing.T) {
		for i, c := range testkit.Corpus(t) {
			if c.Rejected {
				continue
			}
			classes++
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				p := h.class(t, fmt.Sprint("real-", i), c.Class.Spec.Variables)
				t.Cleanup(func() {
					mu.Lock()
					defer mu.Unlock()
					total.add(*p.counts)
				})
				p.run(3, 10, 5)
			})
		}
	})
	t.Logf("%d classes: %+v", classes, total)
}

func (a *hookCounts) add(b hookCounts) {
	a.Variables += b.Variables
	a.Values += b.Values
	a.Posts += b.Posts
	a.Broken += b.Broken
	a.Told += b.Told
	a.Untypable += b.Untypable
	a.Random += b.Random
	a.RandomRefused += b.RandomRefused
	a.Disagreed += b.Disagreed
	a.Misplaced += b.Misplaced
}

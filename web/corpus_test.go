//go:build corpus

package web

import (
	"sync"
	"testing"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// Real classes through the portal's own handlers:
//
//	CLUSTERCLASS_CORPUS=DIR go test -tags corpus -run Corpus -v ./web
func TestCorpusOverHTTP(t *testing.T) {
	var mu sync.Mutex
	var total proofCounts
	t.Run("classes", func(t *testing.T) {
		for _, c := range testkit.Corpus(t) {
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				p := newProof(t, c.Class)
				if c.Rejected {
					p.page()
					return
				}
				p.run(3)
				mu.Lock()
				defer mu.Unlock()
				total.add(p.counts)
			})
		}
	})
	t.Log(total.String())
}

func (a *proofCounts) add(b proofCounts) {
	a.classes += b.classes
	a.variables += b.variables
	a.values += b.values
	a.posts += b.posts
	a.faults += b.faults
	a.withoutValue += b.withoutValue
}

package web

import (
	"sync"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/topology"
)

// checkers keeps one compiled checker for each class, of its latest revision:
// compiling CEL rules takes longer than checking a form.
type checkers struct {
	mu   sync.Mutex
	kept map[topology.Ref]keptChecker
}

type keptChecker struct {
	revision string
	checker  *catalog.Checker
}

func newCheckers() *checkers { return &checkers{kept: map[topology.Ref]keptChecker{}} }

func (c *checkers) of(b catalog.Blueprint) *catalog.Checker {
	ref := topology.Ref{Namespace: b.Namespace, Name: b.Name}
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, ok := c.kept[ref]
	if !ok || kept.revision != b.Revision {
		kept = keptChecker{b.Revision, catalog.NewChecker(b.Schema)}
		c.kept[ref] = kept
	}
	return kept.checker
}

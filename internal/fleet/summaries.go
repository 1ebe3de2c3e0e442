package fleet

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/topology"
)

// rowAge is how long a row is kept although nothing changed: a few of its words
// depend on the time.
const rowAge = 5 * time.Second

// slack is how many rows more than needed don't matter.
const slack = 100

// summaries keeps the rows of the list of clusters: they are the same for
// everybody who may see the portal's changes, and for everybody who may not.
type summaries struct {
	mu   sync.RWMutex
	rows map[rowKey]*row
}

// rowKey has the very object that the row was made from: a cache never changes
// an object, it takes another.
type rowKey struct {
	cluster *clusterv1.Cluster
	changes bool // with the portal's changes
}

type row struct {
	events  int
	newest  string // resourceVersion of the newest Event
	made    time.Time
	summary topology.Summary
}

func newSummaries() *summaries { return &summaries{rows: map[rowKey]*row{}} }

// summary gives the row of a cluster, made anew only when something changed.
func (s *summaries) summary(c *clusterv1.Cluster, events []*corev1.Event, withChanges bool, now time.Time) *topology.Summary {
	key := rowKey{c, withChanges}
	newest := newestOf(events)
	s.mu.RLock()
	r, ok := s.rows[key]
	s.mu.RUnlock()
	if ok && r.events == len(events) && r.newest == newest && now.Sub(r.made) < rowAge {
		return &r.summary
	}
	r = &row{events: len(events), newest: newest, made: now, summary: topology.NewSummary(c, changesOf(events), now)}
	s.mu.Lock()
	s.rows[key] = r
	s.mu.Unlock()
	return &r.summary
}

// forget drops the rows of an object that the cache has replaced or lost.
func (s *summaries) forget(c *clusterv1.Cluster) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.rows, rowKey{c, false})
	delete(s.rows, rowKey{c, true})
}

// limit starts afresh when there are more rows than clusters can have: a list
// that was under way may have put back a row of an object that had gone.
func (s *summaries) limit(clusters int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.rows) > 2*clusters+slack {
		clear(s.rows)
	}
}

// newestOf is enough to notice changes: Events are only ever added and expire.
func newestOf(events []*corev1.Event) string {
	newest := ""
	for _, e := range events {
		if newest == "" || reached(e.ResourceVersion, newest) {
			newest = e.ResourceVersion
		}
	}
	return newest
}

func changesOf(events []*corev1.Event) []topology.Change {
	var out []topology.Change
	for _, e := range events {
		if c, ok := topology.ChangeFrom(e); ok {
			out = append(out, c)
		}
	}
	return out
}

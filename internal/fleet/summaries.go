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

// summaries keeps the rows of the list of clusters: they are the same for
// everybody who may see the portal's changes, and for everybody who may not.
type summaries struct {
	mu   sync.RWMutex
	rows map[rowKey]row
}

type rowKey struct {
	ref     topology.Ref
	changes bool // with the portal's changes
}

type row struct {
	cluster *clusterv1.Cluster // the object it was made from
	events  int
	newest  string // resourceVersion of the newest Event
	made    time.Time
	summary topology.Summary
}

func newSummaries() *summaries { return &summaries{rows: map[rowKey]row{}} }

// summary gives the row of a cluster, made anew only when something changed.
func (s *summaries) summary(c *clusterv1.Cluster, events []*corev1.Event, withChanges bool, now time.Time) topology.Summary {
	key := rowKey{refOf(c), withChanges}
	newest := newestOf(events)
	s.mu.RLock()
	r, ok := s.rows[key]
	s.mu.RUnlock()
	if ok && r.cluster == c && r.events == len(events) && r.newest == newest && now.Sub(r.made) < rowAge {
		return r.summary
	}
	r = row{cluster: c, events: len(events), newest: newest, made: now}
	r.summary = topology.NewSummary(c, changesOf(events), now)
	s.mu.Lock()
	s.rows[key] = r
	s.mu.Unlock()
	return r.summary
}

// forget drops the rows of a cluster that has gone.
func (s *summaries) forget(ref topology.Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.rows, rowKey{ref, false})
	delete(s.rows, rowKey{ref, true})
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

package fleet

import (
	"cmp"
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/topology"
)

// How far back a person's own changes are looked at, and of how many clusters.
const (
	outcomeAge   = time.Hour
	outcomeLimit = 5
)

// Outcomes gives how the latest changes that u made ended, and all clusters
// that were looked at for it, newest change first.
func (f *Fleet) Outcomes(ctx context.Context, u auth.User) ([]topology.Outcome, []topology.Ref, error) {
	refs := f.changedBy(u, time.Now().Add(-outcomeAge))
	var out []topology.Outcome
	for _, ref := range refs {
		c, err := f.Cluster(ctx, u, ref)
		switch {
		case fail.CodeOf(err) == fail.NotFound:
			continue
		case err != nil:
			return nil, refs, err
		}
		out = append(out, topology.OutcomesOf(c, u.Name)...)
	}
	return out, refs, nil
}

// changedBy names the clusters that u changed lately.
func (f *Fleet) changedBy(u auth.User, after time.Time) []topology.Ref {
	newest := map[topology.Ref]time.Time{}
	for _, o := range f.cache.events.GetStore().List() {
		e, ok := o.(*corev1.Event)
		if !ok {
			continue
		}
		ch, ok := topology.ChangeFrom(e)
		ref, about := subjectOf(e)
		if ok && about && ch.Who == u.Name && ch.At.After(after) && ch.At.After(newest[ref]) {
			newest[ref] = ch.At
		}
	}
	refs := make([]topology.Ref, 0, len(newest))
	for ref := range newest {
		refs = append(refs, ref)
	}
	slices.SortFunc(refs, func(a, b topology.Ref) int {
		return cmp.Or(newest[b].Compare(newest[a]), cmp.Compare(a.String(), b.String()))
	})
	return refs[:min(len(refs), outcomeLimit)]
}

package fleet

import (
	"cmp"
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// Clusters gives the rows of all clusters that u may read, in no order. The
// portal's changes go into a row only where u may list Events.
func (f *Fleet) Clusters(ctx context.Context, u auth.User) ([]topology.Summary, error) {
	namespaces, clusters, err := f.seen(ctx, u, topology.KindCluster, f.cache.clusters)
	if err != nil {
		return nil, err
	}
	changes, err := f.access.Visible(ctx, u, "list", kindOf(topology.KindEvent), namespaces)
	if err != nil {
		return nil, asFailure(err)
	}
	mine, err := f.permittedIn(ctx, u, "patch", topology.KindCluster, namespaces)
	if err != nil {
		return nil, err
	}
	rows := f.summaries(clusters, changes)
	for i := range rows {
		rows[i].Mine = mine[rows[i].Namespace]
	}
	return rows, nil
}

// summaries gives the rows that are seen.
func (f *Fleet) summaries(clusters, changes auth.Sight) []topology.Summary {
	now := time.Now()
	changed := map[string]bool{} // the few clusters that the portal has changed lately
	for _, key := range f.cache.events.GetIndexer().ListIndexFuncValues(byCluster) {
		changed[key] = true
	}
	all := f.cache.clusters.GetStore().List()
	f.rows.limit(len(all))
	out := make([]topology.Summary, 0, len(all))
	for _, o := range all {
		c, ok := o.(*clusterv1.Cluster)
		if !ok || !clusters.Sees(c.Namespace, c.Name) {
			continue
		}
		var events []*corev1.Event
		with := len(changed) > 0 && changes.Sees(c.Namespace, "") && changed[refOf(c).String()]
		if with {
			events = f.eventsOf(refOf(c))
		}
		out = append(out, *f.rows.summary(c, events, with, now))
	}
	return out
}

// Classes gives the classes that u may read, by namespace and name, each with
// the number of clusters of it that u may read.
func (f *Fleet) Classes(ctx context.Context, u auth.User) ([]catalog.Class, error) {
	_, classes, err := f.seen(ctx, u, topology.KindClass, f.cache.classes)
	if err != nil {
		return nil, err
	}
	_, clusters, err := f.seen(ctx, u, topology.KindCluster, f.cache.clusters)
	if err != nil {
		return nil, err
	}
	var out []catalog.Class
	for _, o := range f.cache.classes.GetStore().List() {
		cc, ok := o.(*clusterv1.ClusterClass)
		if !ok || !classes.Sees(cc.Namespace, cc.Name) {
			continue
		}
		class := catalog.NewClass(cc)
		key := topology.Ref{Namespace: cc.Namespace, Name: cc.Name}.String()
		for _, c := range indexed[*clusterv1.Cluster](f.cache.clusters, byClass, key) {
			if clusters.Sees(c.Namespace, c.Name) {
				class.Clusters++
			}
		}
		out = append(out, class)
	}
	slices.SortFunc(out, func(a, b catalog.Class) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return out, nil
}

// seen gives what u may see of a kind, and the namespaces that hold such
// objects, which are the only ones that are asked about.
func (f *Fleet) seen(ctx context.Context, u auth.User, k topology.Kind, informer cache.SharedIndexInformer) ([]string, auth.Sight, error) {
	if err := f.filled(); err != nil {
		return nil, auth.Sight{}, err
	}
	namespaces := informer.GetIndexer().ListIndexFuncValues(cache.NamespaceIndex)
	sight, err := f.access.Visible(ctx, u, "list", kindOf(k), namespaces)
	return namespaces, sight, asFailure(err)
}

// filled refuses to answer from a cache that was never filled.
func (f *Fleet) filled() error {
	if f.Ready() {
		return nil
	}
	return fail.New(fail.Unavailable, message.New("fleet.starting"))
}

func (f *Fleet) eventsOf(ref topology.Ref) []*corev1.Event {
	return indexed[*corev1.Event](f.cache.events, byCluster, ref.String())
}

// notFound is the answer for what is absent and for what is unreadable.
func notFound(ref topology.Ref) error {
	return fail.New(fail.NotFound, message.New("fleet.no-cluster", message.Str("cluster", ref.String())))
}

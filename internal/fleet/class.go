package fleet

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// Class gives everything about one class; fail.NotFound when it is absent or
// unreadable, which is decided before it is looked up.
func (f *Fleet) Class(ctx context.Context, u auth.User, ref topology.Ref) (catalog.Blueprint, error) {
	if err := f.filled(); err != nil {
		return catalog.Blueprint{}, err
	}
	a := asker{ctx: ctx, access: f.access, user: u}
	may := a.may("get", kindOf(topology.KindClass), ref.Namespace, ref.Name)
	if a.err != nil {
		return catalog.Blueprint{}, asFailure(a.err)
	}
	cc, ok := stored[*clusterv1.ClusterClass](f.cache.classes, ref)
	if !may || !ok {
		return catalog.Blueprint{}, fail.New(fail.NotFound, message.New("class.none", message.Str("class", ref.String())))
	}
	return catalog.NewBlueprint(cc), nil
}

// CreatableIn names the namespaces in which u may create clusters, sorted.
// Those that are being deleted are left out.
func (f *Fleet) CreatableIn(ctx context.Context, u auth.User) ([]string, error) {
	if err := f.filled(); err != nil {
		return nil, err
	}
	var names []string
	for _, o := range f.cache.namespaces.GetStore().List() {
		if ns, ok := o.(*corev1.Namespace); ok && ns.DeletionTimestamp.IsZero() {
			names = append(names, ns.Name)
		}
	}
	slices.Sort(names)
	names, err := f.access.Where(ctx, u, "create", kindOf(topology.KindCluster), names)
	return names, asFailure(err)
}

package fleet

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/topology"
)

// atOnce is how many namespaces of one person are asked about at a time.
const atOnce = 16

// Rights says what u may do where: first the row with the namespace "" for
// what is permitted everywhere, if anything is, then each namespace where more
// is permitted, by name. Namespaces without clusters are asked too.
func (f *Fleet) Rights(ctx context.Context, u auth.User) ([]auth.NamespaceRights, error) {
	if err := f.filled(); err != nil {
		return nil, err
	}
	everywhere, err := f.rightsIn(ctx, u, "")
	if err != nil {
		return nil, asFailure(err)
	}
	names := f.cache.namespaces.GetStore().ListKeys()
	rows := make([]auth.NamespaceRights, len(names))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, ns := range names {
		if complete(everywhere) {
			break // no namespace can add to it
		}
		group.Go(func() (err error) {
			rows[i], err = f.rightsIn(ctx, u, ns)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, asFailure(err)
	}
	rows = slices.DeleteFunc(rows, func(r auth.NamespaceRights) bool { return sameRights(r, everywhere) || !some(r) })
	slices.SortFunc(rows, func(a, b auth.NamespaceRights) int { return strings.Compare(a.Namespace, b.Namespace) })
	if some(everywhere) {
		rows = slices.Insert(rows, 0, everywhere)
	}
	return rows, nil
}

func (f *Fleet) rightsIn(ctx context.Context, u auth.User, ns string) (auth.NamespaceRights, error) {
	a := asker{ctx: ctx, access: f.access, user: u}
	may := func(verb string, k topology.Kind) bool { return a.may(verb, kindOf(k), ns, "") }
	r := auth.NamespaceRights{
		Namespace:      ns,
		ListClusters:   may("list", topology.KindCluster),
		CreateClusters: may("create", topology.KindCluster),
		ScaleClusters:  may("patch", topology.KindCluster),
		DeleteClusters: may("delete", topology.KindCluster),
		ListMachines:   may("list", topology.KindMachine),
		ReadEvents:     may("list", topology.KindEvent),
		Classes:        may("list", topology.KindClass),
	}
	return r, a.err
}

func sameRights(a, b auth.NamespaceRights) bool {
	a.Namespace = b.Namespace
	return a == b
}

func some(r auth.NamespaceRights) bool { return !sameRights(r, auth.NamespaceRights{}) }

func complete(r auth.NamespaceRights) bool {
	return sameRights(r, auth.NamespaceRights{
		ListClusters: true, CreateClusters: true, ScaleClusters: true, DeleteClusters: true,
		ListMachines: true, ReadEvents: true, Classes: true,
	})
}

// permittedIn holds those of the namespaces in which u may do verb with all
// objects of a kind.
func (f *Fleet) permittedIn(ctx context.Context, u auth.User, verb string, k topology.Kind, namespaces []string) (map[string]bool, error) {
	granted, err := f.access.Where(ctx, u, verb, kindOf(k), namespaces)
	if err != nil {
		return nil, asFailure(err)
	}
	in := make(map[string]bool, len(granted))
	for _, ns := range granted {
		in[ns] = true
	}
	return in, nil
}

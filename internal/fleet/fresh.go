package fleet

import (
	"context"

	"k8s.io/apimachinery/pkg/util/resourceversion"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/topology"
)

// Fresh reads the cluster live and as the person, past the cache, and says who
// holds the pool's replicas and since when. The portal's changes are looked at
// where u may list Events.
func (f *Fleet) Fresh(ctx context.Context, u auth.User, w topology.Wish) (topology.Owner, error) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err := f.mayGet(ctx, u, w.Ref); err != nil {
		return topology.Owner{}, err
	}
	t, err := f.live(ctx, u, w)
	if err != nil {
		return topology.Owner{}, err
	}
	a := asker{ctx: ctx, access: f.access, user: u}
	var changes []topology.Change
	if a.may("list", kindOf(topology.KindEvent), w.Namespace, "") {
		changes = changesOf(f.eventsOf(w.Ref))
	}
	return t.owner(w, changes), asFailure(a.err)
}

// Await waits until the cache has seen the written object or ctx ends, and says
// whether it has: the Cluster itself, or, where it has no topology, one of its
// MachineDeployments.
func (f *Fleet) Await(ctx context.Context, ref topology.Ref, resourceVersion string) bool {
	s := f.hub.subscribe("", []topology.Topic{{Ref: ref}})
	defer s.Close()
	for {
		if f.hasSeen(ref, resourceVersion) {
			return true
		}
		select {
		case <-s.Wake():
		case <-ctx.Done():
			return false
		}
	}
}

func (f *Fleet) hasSeen(ref topology.Ref, resourceVersion string) bool {
	c, ok := stored[*clusterv1.Cluster](f.cache.clusters, ref)
	if !ok {
		return false
	}
	if c.Spec.Topology.IsDefined() {
		return reached(c.ResourceVersion, resourceVersion)
	}
	for _, md := range indexed[*clusterv1.MachineDeployment](f.cache.deployments, byCluster, ref.String()) {
		if reached(md.ResourceVersion, resourceVersion) {
			return true
		}
	}
	return false
}

// reached tells whether have is not older than want. What can't be compared
// counts only when it is equal.
func reached(have, want string) bool {
	order, err := resourceversion.CompareResourceVersion(have, want)
	if err != nil {
		return have == want
	}
	return order >= 0
}

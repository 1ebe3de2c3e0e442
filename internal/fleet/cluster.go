package fleet

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/topology"
)

// Cluster gives one cluster with what u may see of it; fail.NotFound when it is
// absent or unreadable, which is decided before anything is looked up.
func (f *Fleet) Cluster(ctx context.Context, u auth.User, ref topology.Ref) (topology.Cluster, error) {
	if err := f.filled(); err != nil {
		return topology.Cluster{}, err
	}
	if err := f.mayGet(ctx, u, ref); err != nil {
		return topology.Cluster{}, err
	}
	c, ok := stored[*clusterv1.Cluster](f.cache.clusters, ref)
	if !ok {
		return topology.Cluster{}, notFound(ref)
	}
	o := topology.Objects{Cluster: c, Denied: map[topology.Kind]bool{}, Max: f.cfg.MaxReplicas}
	asker := asker{ctx: ctx, access: f.access, user: u}
	f.gatherWorkers(&asker, &o, ref)
	f.gatherClass(&asker, &o, c)
	f.gatherControlPlane(&asker, &o, c)
	o.May = rightsOn(&asker, c)
	if asker.err != nil {
		return topology.Cluster{}, asFailure(asker.err)
	}
	page := topology.NewCluster(o, time.Now())
	f.overhear(ctx, u, &page)
	return page, nil
}

// mayGet is the right to open the cluster's page.
func (f *Fleet) mayGet(ctx context.Context, u auth.User, ref topology.Ref) error {
	yes, err := f.access.May(ctx, u, auth.Question{
		Verb: "get", Kind: kindOf(topology.KindCluster), Namespace: ref.Namespace, Name: ref.Name,
	})
	if err != nil {
		return asFailure(err)
	}
	if !yes {
		return notFound(ref)
	}
	return nil
}

// asker asks question after question and keeps the first error.
type asker struct {
	ctx    context.Context
	access *auth.Access
	user   auth.User
	err    error
}

func (a *asker) may(verb string, k auth.Kind, namespace, name string) bool {
	if a.err != nil {
		return false
	}
	yes, err := a.access.May(a.ctx, a.user, auth.Question{Verb: verb, Kind: k, Namespace: namespace, Name: name})
	a.err = err
	return yes && err == nil
}

// gatherWorkers fills in the kinds that are listed; each has its own right.
func (f *Fleet) gatherWorkers(a *asker, o *topology.Objects, ref topology.Ref) {
	list := func(k topology.Kind, fill func()) {
		if a.may("list", kindOf(k), ref.Namespace, "") {
			fill()
		} else {
			o.Denied[k] = true
		}
	}
	key := ref.String()
	list(topology.KindMachineDeployment, func() {
		o.MachineDeployments = indexed[*clusterv1.MachineDeployment](f.cache.deployments, byCluster, key)
	})
	list(topology.KindMachineSet, func() {
		o.MachineSets = indexed[*clusterv1.MachineSet](f.cache.sets, byCluster, key)
	})
	list(topology.KindMachine, func() {
		o.Machines = indexed[*clusterv1.Machine](f.cache.machines, byCluster, key)
	})
	list(topology.KindMachinePool, func() {
		o.MachinePools = indexed[*clusterv1.MachinePool](f.cache.pools, byCluster, key)
	})
	list(topology.KindHealthCheck, func() {
		o.HealthChecks = indexed[*clusterv1.MachineHealthCheck](f.cache.checks, byCluster, key)
	})
	list(topology.KindEvent, func() { o.Changes = changesOf(f.eventsOf(ref)) })
}

func (f *Fleet) gatherClass(a *asker, o *topology.Objects, c *clusterv1.Cluster) {
	if !c.Spec.Topology.IsDefined() {
		return
	}
	class := classOf(c)
	if !a.may("get", kindOf(topology.KindClass), class.Namespace, class.Name) {
		o.Denied[topology.KindClass] = true
		return
	}
	o.Class, _ = stored[*clusterv1.ClusterClass](f.cache.classes, class)
}

func (f *Fleet) gatherControlPlane(a *asker, o *topology.Objects, c *clusterv1.Cluster) {
	ref := c.Spec.ControlPlaneRef
	if !ref.IsDefined() {
		return
	}
	k := f.cache.controlPlanes.kind(schema.GroupKind{Group: ref.APIGroup, Kind: ref.Kind})
	if k == nil {
		return // not found yet: unknown, which is not the same as denied
	}
	if !a.may("get", k.kind, c.Namespace, ref.Name) {
		o.Denied[topology.KindControlPlane] = true
		return
	}
	o.ControlPlane = k.get(topology.Ref{Namespace: c.Namespace, Name: ref.Name})
}

// rightsOn asks for the right to patch what holds the replicas: the Cluster of
// a topology, else its MachineDeployments.
func rightsOn(a *asker, c *clusterv1.Cluster) topology.Rights {
	kind, name := kindOf(topology.KindCluster), c.Name
	if !c.Spec.Topology.IsDefined() {
		kind, name = kindOf(topology.KindMachineDeployment), ""
	}
	if a.may("patch", kind, c.Namespace, name) {
		return topology.Rights{Scale: true}
	}
	return topology.Rights{Missing: missing("patch", kind, c.Namespace)}
}

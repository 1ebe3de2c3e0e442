package fleet

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/topology"
)

// target is what a wish is about, read live and as the person: the Cluster
// and, where it has no topology, the MachineDeployment that holds the replicas.
type target struct {
	rest       *rest.RESTClient // speaks as the person
	cluster    *clusterv1.Cluster
	class      *clusterv1.ClusterClass      // from the cache; nil without a topology, and when it is not there
	deployment *clusterv1.MachineDeployment // nil with a topology, and when it has gone
}

// live reads the target.
func (f *Fleet) live(ctx context.Context, u auth.User, w topology.Wish) (target, error) {
	rc, err := f.clients.as(u, clusterv1.GroupVersion)
	if err != nil {
		return target{}, err
	}
	t := target{rest: rc, cluster: &clusterv1.Cluster{}}
	err = rc.Get().Namespace(w.Namespace).Resource(string(topology.KindCluster)).Name(w.Name).Do(ctx).Into(t.cluster)
	if apierrors.IsNotFound(err) || fail.CodeOf(asFailure(err)) == fail.Forbidden {
		return target{}, notFound(w.Ref)
	}
	if err != nil {
		return t, asFailure(err)
	}
	if !t.loose() {
		t.class, _ = stored[*clusterv1.ClusterClass](f.cache.classes, classOf(t.cluster))
		return t, nil
	}
	md := &clusterv1.MachineDeployment{}
	kind := topology.KindMachineDeployment
	err = rc.Get().Namespace(w.Namespace).Resource(string(kind)).Name(w.Pool).Do(ctx).Into(md)
	if fail.CodeOf(asFailure(err)) == fail.Forbidden {
		return t, forbidden(err, "get", kindOf(kind), w.Namespace)
	}
	if apierrors.IsNotFound(err) {
		return t, nil
	}
	t.deployment = md
	return t, asFailure(err)
}

// loose tells a cluster without a topology.
func (t target) loose() bool { return !t.cluster.Spec.Topology.IsDefined() }

// kind and name are of the object that holds the replicas.
func (t target) kind() topology.Kind {
	if t.loose() {
		return topology.KindMachineDeployment
	}
	return topology.KindCluster
}

func (t target) name() string {
	if t.loose() {
		return t.deployment.Name
	}
	return t.cluster.Name
}

// object is what both kinds are.
type object interface {
	metav1.Object
	runtime.Object
}

// blank is an empty object of the kind that holds the replicas.
func (t target) blank() object {
	if t.loose() {
		return &clusterv1.MachineDeployment{}
	}
	return &clusterv1.Cluster{}
}

func (t target) resourceVersion() string {
	if t.loose() {
		return t.deployment.ResourceVersion
	}
	return t.cluster.ResourceVersion
}

// decide says what the wish means for the target as it is now.
func (t target) decide(w topology.Wish) topology.Decision {
	switch {
	case !t.loose() || string(t.cluster.UID) != w.UID:
		return topology.Scale(t.cluster, t.class, w)
	case t.deployment == nil:
		return topology.ScaleDeployment(&clusterv1.MachineDeployment{}, w) // says that the pool has gone
	}
	return topology.ScaleDeployment(t.deployment, w)
}

// owner says who holds the replicas.
func (t target) owner(w topology.Wish, changes []topology.Change) topology.Owner {
	if t.loose() {
		return topology.DeploymentOwner(t.cluster, t.deployment, w, changes)
	}
	return topology.OwnerOf(t.cluster, t.class, w, changes)
}

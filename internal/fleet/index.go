package fleet

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/tools/cache"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/topology"
)

// The names of the indexes.
const (
	byCluster = "cluster" // namespace/name of the cluster it belongs to
	byClass   = "class"   // namespace/name of the ClusterClass
	byRole    = "role"    // kind and name of the role that a binding gives
)

func byNamespace() cache.Indexers {
	return cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
}

func clusterIndexers() cache.Indexers {
	in := byNamespace()
	in[byClass] = func(o any) ([]string, error) {
		if c, ok := o.(*clusterv1.Cluster); ok && c.Spec.Topology.IsDefined() {
			return []string{classOf(c).String()}, nil
		}
		return nil, nil
	}
	return in
}

func ownedIndexers() cache.Indexers {
	return cache.Indexers{byCluster: indexBy(ownerOf)}
}

func eventIndexers() cache.Indexers {
	return cache.Indexers{byCluster: indexBy(subjectOf)}
}

func roleIndexers() cache.Indexers {
	return cache.Indexers{byRole: func(o any) ([]string, error) {
		switch b := o.(type) {
		case *rbacv1.RoleBinding:
			return []string{roleKey(b.RoleRef.Kind, b.Namespace, b.RoleRef.Name)}, nil
		case *rbacv1.ClusterRoleBinding:
			return []string{roleKey(b.RoleRef.Kind, "", b.RoleRef.Name)}, nil
		}
		return nil, nil
	}}
}

func indexBy(of func(any) (topology.Ref, bool)) cache.IndexFunc {
	return func(o any) ([]string, error) {
		if ref, ok := of(o); ok {
			return []string{ref.String()}, nil
		}
		return nil, nil
	}
}

// classOf is the class of a cluster with a topology; by default it lies in the
// cluster's own namespace.
func classOf(c *clusterv1.Cluster) topology.Ref {
	ref := c.Spec.Topology.ClassRef
	if ref.Namespace == "" {
		return topology.Ref{Namespace: c.Namespace, Name: ref.Name}
	}
	return topology.Ref{Namespace: ref.Namespace, Name: ref.Name}
}

// ownerOf is the cluster that an object belongs to: by CAPI's label, or, for
// control planes that lack it, by the owner reference.
func ownerOf(o any) (topology.Ref, bool) {
	m, err := meta.Accessor(o)
	if err != nil {
		return topology.Ref{}, false
	}
	if name := m.GetLabels()[clusterv1.ClusterNameLabel]; name != "" {
		return topology.Ref{Namespace: m.GetNamespace(), Name: name}, true
	}
	for _, owner := range m.GetOwnerReferences() {
		if isCluster(owner.Kind, owner.APIVersion) {
			return topology.Ref{Namespace: m.GetNamespace(), Name: owner.Name}, true
		}
	}
	return topology.Ref{}, false
}

// subjectOf is the cluster that an Event is about.
func subjectOf(o any) (topology.Ref, bool) {
	e, ok := o.(*corev1.Event)
	if !ok || !isCluster(e.InvolvedObject.Kind, e.InvolvedObject.APIVersion) {
		return topology.Ref{}, false
	}
	return topology.Ref{Namespace: e.InvolvedObject.Namespace, Name: e.InvolvedObject.Name}, true
}

func isCluster(kind, apiVersion string) bool {
	return kind == clusterv1.ClusterKind && strings.HasPrefix(apiVersion, clusterv1.GroupVersion.Group+"/")
}

func roleKey(kind, namespace, name string) string {
	if kind != "Role" {
		namespace = "" // a ClusterRole, whoever binds it
	}
	return kind + "/" + namespace + "/" + name
}

// indexed gives the objects of an index, typed.
func indexed[T any](informer cache.SharedIndexInformer, index, key string) []T {
	found, err := informer.GetIndexer().ByIndex(index, key)
	if err != nil { // the index doesn't exist: a fault of the program
		panic(err)
	}
	out := make([]T, 0, len(found))
	for _, o := range found {
		if t, ok := o.(T); ok {
			out = append(out, t)
		}
	}
	return out
}

// stored gives one object of a store, typed.
func stored[T any](informer cache.SharedIndexInformer, ref topology.Ref) (T, bool) {
	o, found, err := informer.GetStore().GetByKey(ref.String())
	t, ok := o.(T)
	return t, ok && found && err == nil
}

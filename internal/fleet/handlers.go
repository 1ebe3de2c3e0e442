package fleet

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/topology"
)

// each makes a handler that treats an object the same whether it came, changed
// or went. Handlers only work out whom it concerns and return.
func each(concern func(object any)) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    concern,
		UpdateFunc: func(_, now any) { concern(now) },
		DeleteFunc: func(o any) { concern(last(o)) },
	}
}

// last is the object itself or, where its deletion was missed, its last known
// state.
func last(o any) any {
	if gone, ok := o.(cache.DeletedFinalStateUnknown); ok {
		return gone.Obj
	}
	return o
}

func (f *Fleet) onCluster() cache.ResourceEventHandler {
	concern := func(o any) {
		c, ok := o.(*clusterv1.Cluster)
		if !ok {
			return
		}
		if ref := c.Spec.ControlPlaneRef; ref.IsDefined() {
			f.cache.controlPlanes.seen(schema.GroupKind{Group: ref.APIGroup, Kind: ref.Kind})
		}
		f.hub.changed(refOf(c))
		f.hub.listed()
	}
	forget := func(o any) {
		if c, ok := o.(*clusterv1.Cluster); ok {
			f.rows.forget(c)
		}
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    concern,
		UpdateFunc: func(old, now any) { forget(old); concern(now) },
		DeleteFunc: func(o any) { forget(last(o)); concern(last(o)) },
	}
}

// onClass concerns the clusters of the class: it says limits and modes.
func (f *Fleet) onClass() cache.ResourceEventHandler {
	return each(func(o any) {
		cc, ok := o.(*clusterv1.ClusterClass)
		if !ok {
			return
		}
		class := topology.Ref{Namespace: cc.Namespace, Name: cc.Name}
		for _, c := range indexed[*clusterv1.Cluster](f.cache.clusters, byClass, class.String()) {
			f.hub.changed(refOf(c))
		}
		f.hub.listed()
	})
}

func (f *Fleet) onOwned() cache.ResourceEventHandler {
	return each(func(o any) {
		if ref, ok := ownerOf(o); ok {
			f.hub.changed(ref)
		}
	})
}

func (f *Fleet) onEvent() cache.ResourceEventHandler {
	return each(func(o any) {
		if ref, ok := subjectOf(o); ok {
			f.hub.changed(ref)
			f.hub.listed()
		}
	})
}

func refOf(c *clusterv1.Cluster) topology.Ref {
	return topology.Ref{Namespace: c.Namespace, Name: c.Name}
}

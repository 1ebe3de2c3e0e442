package fleet

import (
	"context"
	"net/http"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/topology"
)

// findAgain is how long to wait before looking for an unknown kind again.
const findAgain = 5 * time.Second

// controlPlanes are the informers for the kinds of control plane, which only
// the Clusters tell. One is started when its kind is first seen.
type controlPlanes struct {
	f       *Fleet
	mapper  meta.ResettableRESTMapper
	dynamic dynamic.Interface
	arrived chan struct{} // capacity 1: something waits

	mu      sync.Mutex
	waiting []schema.GroupKind
	kinds   map[schema.GroupKind]*controlPlaneKind // nil while it is being found
}

type controlPlaneKind struct {
	kind     auth.Kind
	informer cache.SharedIndexInformer
}

func (f *Fleet) newControlPlanes() (*controlPlanes, error) {
	client := &http.Client{Transport: f.clients.base}
	disco, err := discovery.NewDiscoveryClientForConfigAndClient(f.clients.config, client)
	if err != nil {
		return nil, err
	}
	dyn, err := dynamic.NewForConfigAndClient(f.clients.config, client)
	if err != nil {
		return nil, err
	}
	return &controlPlanes{
		f: f, dynamic: dyn,
		mapper:  restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(disco)),
		arrived: make(chan struct{}, 1),
		kinds:   map[schema.GroupKind]*controlPlaneKind{},
	}, nil
}

// seen notes a kind; it doesn't block.
func (p *controlPlanes) seen(gk schema.GroupKind) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.kinds[gk]; known {
		return
	}
	p.kinds[gk] = nil
	p.waiting = append(p.waiting, gk)
	select {
	case p.arrived <- struct{}{}:
	default:
	}
}

// run starts informers for the kinds that are seen, until ctx ends, and waits
// for them.
func (p *controlPlanes) run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.arrived:
		}
		p.mu.Lock()
		waiting := p.waiting
		p.waiting = nil
		p.mu.Unlock()
		for _, gk := range waiting {
			running.Go(func() { p.serve(ctx, gk) })
		}
	}
}

// serve finds the kind's resource and runs its informer until ctx ends.
func (p *controlPlanes) serve(ctx context.Context, gk schema.GroupKind) {
	var gvr schema.GroupVersionResource
	err := wait.PollUntilContextCancel(ctx, findAgain, true, func(context.Context) (bool, error) {
		m, err := p.mapper.RESTMapping(gk)
		if err != nil {
			p.f.log.Warn("kind of control plane not found", "kind", gk.String(), "err", err)
			p.mapper.Reset()
			return false, nil
		}
		gvr = m.Resource
		return true, nil
	})
	if err != nil {
		return // ctx ended
	}
	informer, err := p.informer(gvr)
	if err != nil {
		p.f.log.Error("control planes can't be watched", "kind", gk.String(), "err", err)
		return
	}
	p.mu.Lock()
	p.kinds[gk] = &controlPlaneKind{auth.Kind{Group: gvr.Group, Resource: gvr.Resource}, informer}
	p.mu.Unlock()
	informer.RunWithContext(ctx)
}

func (p *controlPlanes) informer(gvr schema.GroupVersionResource) (cache.SharedIndexInformer, error) {
	resource := p.dynamic.Resource(gvr)
	from := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return resource.List(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return resource.Watch(ctx, o)
		},
	}
	name := gvr.GroupResource().String()
	informer := cache.NewSharedIndexInformer(p.f.link.through(name, from), &unstructured.Unstructured{}, 0, cache.Indexers{})
	if err := informer.SetTransform(trim); err != nil {
		return nil, err
	}
	if err := informer.SetWatchErrorHandlerWithContext(p.f.watchFailed(name)); err != nil {
		return nil, err
	}
	_, err := informer.AddEventHandler(p.f.onOwned())
	return informer, err
}

// kind gives what is known of a kind of control plane; nil while nothing is.
func (p *controlPlanes) kind(gk schema.GroupKind) *controlPlaneKind {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kinds[gk]
}

func (k *controlPlaneKind) get(ref topology.Ref) *unstructured.Unstructured {
	u, _ := stored[*unstructured.Unstructured](k.informer, ref)
	return u
}

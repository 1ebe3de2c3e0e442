package fleet

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// objects are the informers, one for each kind.
type objects struct {
	clusters, classes, deployments, sets, machines, pools, checks cache.SharedIndexInformer
	namespaces, events                                            cache.SharedIndexInformer
	roles, clusterRoles, bindings, clusterBindings                cache.SharedIndexInformer

	controlPlanes *controlPlanes
	all           []cache.SharedIndexInformer
	handled       []cache.InformerSynced
}

// kind is what an informer watches.
type kind struct {
	gv       schema.GroupVersion
	resource string
	object   runtime.Object
	fields   string // field selector
	indexers cache.Indexers
}

// newObjects makes the informers and joins them with the hub and with access.
func (f *Fleet) newObjects() (*objects, error) {
	capi, core, rbac := clusterv1.GroupVersion, corev1.SchemeGroupVersion, rbacv1.SchemeGroupVersion
	o := &objects{}
	kinds := []struct {
		into *cache.SharedIndexInformer
		kind
		handler cache.ResourceEventHandler
	}{
		{&o.clusters, kind{capi, "clusters", &clusterv1.Cluster{}, "", clusterIndexers()}, f.onCluster()},
		{&o.classes, kind{capi, "clusterclasses", &clusterv1.ClusterClass{}, "", byNamespace()}, f.onClass()},
		{&o.deployments, kind{capi, "machinedeployments", &clusterv1.MachineDeployment{}, "", ownedIndexers()}, f.onOwned()},
		{&o.sets, kind{capi, "machinesets", &clusterv1.MachineSet{}, "", ownedIndexers()}, f.onOwned()},
		{&o.machines, kind{capi, "machines", &clusterv1.Machine{}, "", ownedIndexers()}, f.onOwned()},
		{&o.pools, kind{capi, "machinepools", &clusterv1.MachinePool{}, "", ownedIndexers()}, f.onOwned()},
		{&o.checks, kind{capi, "machinehealthchecks", &clusterv1.MachineHealthCheck{}, "", ownedIndexers()}, f.onOwned()},
		{&o.namespaces, kind{core, "namespaces", &corev1.Namespace{}, "", nil}, nil},
		// The selector is one of those that core/v1 Events support
		// (k8s.io/kubernetes, pkg/registry/core/event/strategy.go).
		{&o.events, kind{core, "events", &corev1.Event{}, "reportingComponent=" + manager, eventIndexers()}, f.onEvent()},
		{&o.roles, kind{rbac, "roles", &rbacv1.Role{}, "", nil}, f.onRole()},
		{&o.clusterRoles, kind{rbac, "clusterroles", &rbacv1.ClusterRole{}, "", nil}, f.onRole()},
		{&o.bindings, kind{rbac, "rolebindings", &rbacv1.RoleBinding{}, "", roleIndexers()}, f.onBinding()},
		{&o.clusterBindings, kind{rbac, "clusterrolebindings", &rbacv1.ClusterRoleBinding{}, "", roleIndexers()}, f.onBinding()},
	}
	for _, k := range kinds {
		informer, err := f.newInformer(k.kind)
		if err != nil {
			return nil, err
		}
		*k.into = informer
		if err := o.add(informer, k.handler); err != nil {
			return nil, err
		}
	}
	var err error
	o.controlPlanes, err = f.newControlPlanes()
	return o, err
}

func (o *objects) add(informer cache.SharedIndexInformer, handler cache.ResourceEventHandler) error {
	o.all = append(o.all, informer)
	o.handled = append(o.handled, informer.HasSynced)
	if handler == nil {
		return nil
	}
	registration, err := informer.AddEventHandler(handler)
	if err != nil {
		return err
	}
	o.handled = append(o.handled, registration.HasSynced)
	return nil
}

func (f *Fleet) newInformer(k kind) (cache.SharedIndexInformer, error) {
	rc, err := f.clients.own(k.gv)
	if err != nil {
		return nil, err
	}
	from := cache.NewFilteredListWatchFromClient(rc, k.resource, metav1.NamespaceAll, func(o *metav1.ListOptions) { o.FieldSelector = k.fields })
	informer := cache.NewSharedIndexInformer(f.link.through(k.resource, from), k.object, 0, k.indexers)
	if err := informer.SetTransform(trim); err != nil {
		return nil, err
	}
	return informer, informer.SetWatchErrorHandlerWithContext(f.watchFailed(k.resource))
}

// watchFailed logs what an informer could not do; link has its own ears.
func (f *Fleet) watchFailed(resource string) cache.WatchErrorHandlerWithContext {
	return func(ctx context.Context, _ *cache.Reflector, err error) {
		if ctx.Err() == nil && worthSaying(err) {
			f.log.Warn("watch failed", "resource", resource, "err", err)
		}
	}
}

// through sends an informer's lists and watches through the gate and hears how
// they fare.
func (l *link) through(name string, from *cache.ListWatch) *cache.ListWatch {
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			if err := l.wait(ctx); err != nil {
				return nil, err
			}
			list, err := from.ListWithContextFunc(ctx, o)
			l.report(name, err)
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			if err := l.wait(ctx); err != nil {
				return nil, err
			}
			w, err := from.WatchFuncWithContext(ctx, o)
			l.report(name, err)
			return w, err
		},
	}
}

func (o *objects) run(ctx context.Context, running *sync.WaitGroup) {
	for _, informer := range o.all {
		running.Go(func() { informer.RunWithContext(ctx) })
	}
	running.Go(func() { o.controlPlanes.run(ctx) })
}

func (o *objects) synced() bool {
	for _, done := range o.handled {
		if !done() {
			return false
		}
	}
	return true
}

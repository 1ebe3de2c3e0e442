package apply

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// owner is the field manager of everything that the sandbox writes.
const owner = "capstan-sandbox"

// Client writes objects of any kind.
type Client struct {
	dynamic dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
}

// NewClient returns a client for a cluster.
func NewClient(config *rest.Config) (*Client, error) {
	d, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("no client for the cluster: %w", err)
	}
	disco, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("no discovery client for the cluster: %w", err)
	}
	return &Client{dynamic: d, mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(disco))}, nil
}

// Apply writes one object by server-side apply.
func (c *Client) Apply(ctx context.Context, object *unstructured.Unstructured) error {
	resource, err := c.resource(object.GroupVersionKind(), object.GetNamespace())
	if err != nil {
		return err
	}
	body, err := json.Marshal(object)
	if err != nil {
		return fmt.Errorf("%s can't be encoded: %w", Title(object), err)
	}
	force := true
	_, err = resource.Patch(ctx, object.GetName(), types.ApplyPatchType, body, metav1.PatchOptions{FieldManager: owner, Force: &force})
	if err != nil {
		return fmt.Errorf("%s was refused: %w", Title(object), err)
	}
	return nil
}

// ApplyAll writes objects in order. What fails because a server or webhook
// doesn't answer yet is tried again for a while.
func (c *Client) ApplyAll(ctx context.Context, objects []*unstructured.Unstructured) error {
	for _, object := range objects {
		var last error
		err := wait.PollUntilContextTimeout(ctx, 500*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
			last = c.Apply(ctx, object)
			if last != nil && !transient(last) {
				return false, last
			}
			return last == nil, nil
		})
		if err != nil {
			return last
		}
	}
	return nil
}

// Get reads one object again.
func (c *Client) Get(ctx context.Context, like *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	resource, err := c.resource(like.GroupVersionKind(), like.GetNamespace())
	if err != nil {
		return nil, err
	}
	return resource.Get(ctx, like.GetName(), metav1.GetOptions{})
}

func (c *Client) resource(kind schema.GroupVersionKind, namespace string) (dynamic.ResourceInterface, error) {
	mapping, err := c.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if meta.IsNoMatchError(err) {
		c.mapper.Reset() // a CustomResourceDefinition may have arrived since
		mapping, err = c.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	}
	if err != nil {
		return nil, fmt.Errorf("kind %s of %s is unknown to the cluster: %w", kind.Kind, kind.GroupVersion(), err)
	}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		if namespace == "" {
			namespace = metav1.NamespaceDefault
		}
		return c.dynamic.Resource(mapping.Resource).Namespace(namespace), nil
	}
	return c.dynamic.Resource(mapping.Resource), nil
}

func transient(err error) bool {
	return apierrors.IsInternalError(err) || apierrors.IsServiceUnavailable(err) || apierrors.IsTimeout(err) ||
		apierrors.IsServerTimeout(err) || apierrors.IsTooManyRequests(err) || meta.IsNoMatchError(err) || apierrors.IsConflict(err)
}

// Title names an object in messages.
func Title(o *unstructured.Unstructured) string {
	if o.GetNamespace() == "" {
		return o.GetKind() + " " + o.GetName()
	}
	return o.GetKind() + " " + o.GetNamespace() + "/" + o.GetName()
}

//go:build sandbox

package testkit

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
)

// drop deletes the world's clusters and then its namespace, which nobody waits
// for. A namespace that can't end must not be left behind: the namespace
// controller asks again and again to delete all that is in it, each time
// through the webhooks, and with a few hundred clusters that takes a whole core
// from the tests that follow.
func (w *World) drop() {
	ctx := context.Background()
	clusters := w.Client.Resource(w.resource("Cluster")).Namespace(w.Namespace)
	_ = clusters.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
	left, err := clusters.List(ctx, metav1.ListOptions{})
	if err != nil {
		w.t.Logf("clusters of %s are left behind: %v", w.Namespace, err)
		return
	}
	for i := range left.Items {
		cluster := &left.Items[i]
		if paused, _, _ := unstructured.NestedBool(cluster.Object, "spec", "paused"); !paused {
			continue
		}
		if _, err := clusters.Patch(ctx, cluster.GetName(), types.MergePatchType, release(cluster), metav1.PatchOptions{}); err != nil && !apierrors.IsNotFound(err) {
			w.t.Logf("cluster %s/%s is left behind: %v", w.Namespace, cluster.GetName(), err)
		}
	}
	go dropNamespace(ctx, clusters, w.Client.Resource(w.resource("Namespace")), w.Namespace)
}

// release is the patch that lets a deleted cluster go. The controllers don't
// finish a paused one: where they never built anything it goes at once, else
// the pause ends. Finalizers of a test's own go too.
func release(cluster *unstructured.Unstructured) []byte {
	if _, built, _ := unstructured.NestedMap(cluster.Object, "spec", "infrastructureRef"); built {
		return []byte(`{"spec": {"paused": false}, "metadata": {"finalizers": ["cluster.cluster.x-k8s.io"]}}`)
	}
	return []byte(`{"metadata": {"finalizers": null}}`)
}

// dropNamespace waits for the clusters first: their controllers need the
// secrets that go with the namespace.
func dropNamespace(ctx context.Context, clusters dynamic.ResourceInterface, namespaces dynamic.ResourceInterface, name string) {
	err := wait.PollUntilContextTimeout(ctx, time.Second, 5*time.Minute, true, func(ctx context.Context) (bool, error) {
		left, err := clusters.List(ctx, metav1.ListOptions{Limit: 1})
		return err == nil && len(left.Items) == 0, nil
	})
	if err == nil {
		_ = namespaces.Delete(ctx, name, metav1.DeleteOptions{})
	}
}

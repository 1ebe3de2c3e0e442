package capi

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/apply"
)

// creators is how many definitions are sent at the same time.
const creators = 8

// createDefinitions creates CustomResourceDefinitions and waits until the API
// server serves all of them.
func createDefinitions(ctx context.Context, client dynamic.Interface, crds []*unstructured.Unstructured) error {
	resource := client.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
	todo := make(chan *unstructured.Unstructured)
	results := make(chan error, len(crds))
	for range creators {
		go func() {
			for crd := range todo {
				_, err := resource.Create(ctx, crd, metav1.CreateOptions{})
				results <- err
			}
		}()
	}
	for _, crd := range crds {
		todo <- crd
	}
	close(todo)
	for range crds {
		if err := <-results; err != nil {
			return fmt.Errorf("a CustomResourceDefinition was refused: %w", err)
		}
	}
	return wait.PollUntilContextTimeout(ctx, 200*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		list, err := resource.List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, nil // asked again until the time is up
		}
		return len(list.Items) >= len(crds) && allEstablished(list), nil
	})
}

func allEstablished(list *unstructured.UnstructuredList) bool {
	established := apply.ConditionTrue("Established")
	for i := range list.Items {
		if !established(&list.Items[i]) {
			return false
		}
	}
	return true
}

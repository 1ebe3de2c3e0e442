package apply

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
)

// WaitFor waits until done says yes to the object's current state.
func (c *Client) WaitFor(ctx context.Context, object *unstructured.Unstructured, limit time.Duration, what string, done func(*unstructured.Unstructured) bool) error {
	var last error
	err := wait.PollUntilContextTimeout(ctx, 500*time.Millisecond, limit, true, func(ctx context.Context) (bool, error) {
		current, err := c.Get(ctx, object)
		last = err
		return err == nil && done(current), nil
	})
	if err != nil && last != nil {
		err = last
	}
	if err != nil {
		return fmt.Errorf("%s is not %s after %s: %w", Title(object), what, limit, err)
	}
	return nil
}

// ConditionTrue tells whether a condition is True and speaks about the current
// generation of the object.
func ConditionTrue(kind string) func(*unstructured.Unstructured) bool {
	return func(o *unstructured.Unstructured) bool {
		observed, found, _ := unstructured.NestedInt64(o.Object, "status", "observedGeneration")
		if found && observed < o.GetGeneration() {
			return false
		}
		conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
		for _, c := range conditions {
			fields, ok := c.(map[string]any)
			if ok && fields["type"] == kind {
				return fields["status"] == "True"
			}
		}
		return false
	}
}

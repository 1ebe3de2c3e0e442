package topology

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// conditionsIn reads status.conditions of an object of any kind; entries that
// are no v1beta2 conditions are left out.
func conditionsIn(u *unstructured.Unstructured) []metav1.Condition {
	list, _, err := unstructured.NestedSlice(u.Object, "status", "conditions")
	if err != nil {
		return nil
	}
	var out []metav1.Condition
	for _, entry := range list {
		fields, ok := entry.(map[string]any)
		if !ok {
			continue
		}
		text := func(name string) string { return stringIn(fields, name) }
		at, err := time.Parse(time.RFC3339, text("lastTransitionTime"))
		if err != nil || text("type") == "" {
			continue
		}
		out = append(out, metav1.Condition{
			Type: text("type"), Status: metav1.ConditionStatus(text("status")), Reason: text("reason"),
			Message: text("message"), LastTransitionTime: metav1.NewTime(at),
		})
	}
	return out
}

func stringIn(fields map[string]any, name string) string {
	text, ok := fields[name].(string)
	if !ok {
		return ""
	}
	return text
}

// api turns our number into an API number.
func api(n *int) *int32 {
	if n == nil {
		return nil
	}
	v := int32(*n) //nolint:gosec // it came from an int32
	return &v
}

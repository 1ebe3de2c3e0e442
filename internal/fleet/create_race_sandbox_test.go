//go:build sandbox

package fleet_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// What changes after the portal last looked, so that only the management cluster
// can refuse it: the sentence names the cause, at the input where it can be
// mended.
func TestCreateAgainstANewerWorld(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	f := connect(t, sb)
	w := newTeam(t, sb)
	w.settled(t, f)
	class := topology.Ref{Namespace: w.Namespace, Name: "quick"}
	until(t, "the class is seen", 30*time.Second, func() bool {
		b, err := f.Class(t.Context(), w.person, class)
		return err == nil && b.Ready
	})
	b, err := f.Class(t.Context(), w.person, class)
	if err != nil {
		t.Fatal(err)
	}
	form := topology.NewCreateForm(b, "form", w.Namespace)

	t.Run("the class requires a variable", func(t *testing.T) {
		w.Apply(strings.Replace(testkit.Quick(t), "  variables:\n", "  variables:\n    - {name: owner, required: true, schema: {openAPIV3Schema: {type: string}}}\n", 1))
		w.Reconciled("quick")
		_, err := f.Create(t.Context(), w.person, w.newPlan("older", "form"), false)
		wantCode(t, err, fail.Invalid)
		wantFaults(t, form.Explain(err), "", "catalog.fault.required-new")
		w.Apply(testkit.Quick(t)) // else the cluster that is there can't be let go
	})
	t.Run("the namespace is being deleted", func(t *testing.T) {
		doomed := testkit.NewBareWorld(t, sb)
		doomed.Apply(strings.ReplaceAll(held, "GROUP", w.person.Groups[0]))
		t.Cleanup(func() { doomed.Apply(strings.Replace(held, `"example.com/held"`, "", 1)) })
		gvr := schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
		if err := sb.Client.Resource(gvr).Delete(context.Background(), doomed.Namespace, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		plan := w.newPlan("late", "form")
		plan.Namespace = doomed.Namespace
		_, err := f.Create(t.Context(), w.person, plan, false)
		wantNamespace(t, err)
		until(t, "it is no longer offered", 30*time.Second, func() bool {
			names, err := f.CreatableIn(t.Context(), w.person)
			return err == nil && slices.Equal(names, []string{w.Namespace})
		})
	})
	t.Run("the namespace is gone", func(t *testing.T) {
		plan := w.newPlan("nowhere", "form")
		plan.Namespace = "no-such-namespace"
		_, err := f.Create(t.Context(), user("platform-admin", "platform-team"), plan, false)
		wantNamespace(t, err)
	})
}

// held is the team's right, which outlives the deletion of its namespace.
const held = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: held, namespace: NAMESPACE, finalizers: ["example.com/held"]}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-api-team}
subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: "GROUP"}]`

func wantNamespace(t *testing.T, err error) {
	t.Helper()
	wantCode(t, err, fail.Invalid)
	if key(err) != "create.fault.namespace-gone" {
		t.Errorf("says %q: %v", key(err), err)
	}
}

func wantFaults(t *testing.T, faults []fail.Fault, field string, text message.Key) {
	t.Helper()
	if len(faults) != 1 || faults[0].Field != field || faults[0].Text.Key != text {
		t.Errorf("got %+v, want %s at %q", faults, text, field)
	}
}

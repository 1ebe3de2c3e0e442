//go:build sandbox

package fleet_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// newPlan is a small cluster of the world's class "quick".
func (w team) newPlan(name, form string) topology.Plan {
	one := 1
	return topology.Plan{
		Ref: topology.Ref{Namespace: w.Namespace, Name: name}, Form: form, Class: topology.Ref{Namespace: w.Namespace, Name: "quick"},
		Version: "v1.34.2", ControlPlane: &one,
		Pools: []topology.PlannedPool{{Kind: catalog.WorkerDeployment, Class: "never", Name: "md-0", Replicas: &one}},
	}
}

func TestCreateIsDoneOnce(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	f := connect(t, sb)
	w.settled(t, f)
	if _, err := f.Create(t.Context(), w.person, w.newPlan("new", "form-1"), true); err != nil {
		t.Fatalf("dry run: %v", err)
	}
	if got := len(w.List("Cluster", "")); got != 1 {
		t.Fatalf("a dry run left %d clusters", got)
	}
	first, err := f.Create(t.Context(), w.person, w.newPlan("new", "form-1"), false)
	if err != nil || first.Already {
		t.Fatalf("created %+v: %v", first, err)
	}
	again, err := f.Create(t.Context(), w.person, w.newPlan("new", "form-1"), false)
	if err != nil || !again.Already {
		t.Errorf("the same form again: %+v, %v", again, err)
	}
	_, err = f.Create(t.Context(), w.person, w.newPlan("new", "form-2"), false)
	if key(err) != "create.fault.taken" {
		t.Errorf("another form: %v", err)
	}
	if who := w.Get("Cluster", "new").GetAnnotations()[topology.AnnotationCreator]; who != w.person.Name {
		t.Errorf("created by %q", who)
	}
	created := func() bool {
		for _, e := range w.List("Event", "") {
			if e.Object["reason"] == "Created" {
				return true
			}
		}
		return false
	}
	until(t, "the Event is there", 10*time.Second, created)
}

func TestCreateRefusalsAreExplained(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	f := connect(t, sb)
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
	plan := w.newPlan("bad", "form")
	plan.Variables = []clusterv1.ClusterVariable{{Name: "region", Value: apiextensionsv1.JSON{Raw: []byte(`"east"`)}}}
	_, err = f.Create(t.Context(), w.person, plan, true)
	wantCode(t, err, fail.Invalid)
	if faults := form.Explain(err); len(faults) != 1 || faults[0].Field != "v.region" {
		t.Errorf("a wrong variable stands at %+v", faults)
	}
	plan.Variables = nil
	plan.Pools[0].Class = "none"
	_, err = f.Create(t.Context(), w.person, plan, true)
	wantCode(t, err, fail.Invalid)
	if faults := form.Explain(err); !slices.ContainsFunc(faults, func(f fail.Fault) bool { return strings.HasPrefix(f.Field, "pool0.") }) {
		t.Errorf("a wrong worker class stands at %+v", faults)
	}
	plan = w.newPlan("there", "form")
	plan.Namespace = "no-such-namespace"
	_, err = f.Create(t.Context(), w.person, plan, true)
	if code := fail.CodeOf(err); code != fail.Forbidden && code != fail.Invalid {
		t.Errorf("a namespace that is not there: %v", err)
	}
	_, err = f.Create(t.Context(), user("nobody", "none"), w.newPlan("x", "form"), true)
	if fail.CodeOf(err) != fail.Forbidden || key(err) != "fleet.missing-right" {
		t.Errorf("without the right: %v", err)
	}
}

func TestCreatableNamespaces(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	f := connect(t, sb)
	w.settled(t, f)
	until(t, "the namespace is offered", 30*time.Second, func() bool {
		names, err := f.CreatableIn(t.Context(), w.person)
		return err == nil && slices.Equal(names, []string{w.Namespace})
	})
	names, err := f.CreatableIn(t.Context(), user("nobody", "none"))
	if err != nil || len(names) != 0 {
		t.Errorf("a stranger may create in %v: %v", names, err)
	}
	if _, err := f.Class(t.Context(), user("nobody", "none"), topology.Ref{Namespace: w.Namespace, Name: "quick"}); fail.CodeOf(err) != fail.NotFound {
		t.Errorf("a stranger reads the class: %v", err)
	}
}

package topology

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Explain puts the causes of a refusal at the inputs of the form; what belongs
// to no input has an empty Field. It is empty for errors without causes, and for
// those that are no refusal of what was typed: a webhook that doesn't answer or a
// policy's denial have one cause without a field, which only repeats the error.
func (f *CreateForm) Explain(err error) []fail.Fault {
	var status apierrors.APIStatus
	if !apierrors.IsInvalid(err) || !errors.As(err, &status) || status.Status().Details == nil {
		return nil
	}
	causes := slices.DeleteFunc(slices.Clone(status.Status().Details.Causes), func(c metav1.StatusCause) bool { return c.Field == "" })
	form, pools := f.forms()
	var out []fail.Fault
	for _, r := range form.Explain(causes) {
		fault := r.Fault
		if r.Input == "" {
			fault.Field = inputOf(r.Location, pools, len(form.MachineDeployments))
		}
		out = append(out, fault)
	}
	return out
}

// inputOf finds the input of a setting that is no variable.
func inputOf(at catalog.Location, pools []CreatePool, deployments int) string {
	switch at.Scope {
	case catalog.ScopeMachineDeployment, catalog.ScopeMachinePool:
		i := at.Pool
		if at.Scope == catalog.ScopeMachinePool {
			i += deployments
		}
		if at.Pool < 0 || i >= len(pools) {
			return ""
		}
		return poolField(pools[i], at.Field)
	case catalog.ScopeControlPlane:
		if strings.HasPrefix(at.Field, "replicas") {
			return InputCP
		}
		return ""
	}
	return clusterField(at.Field)
}

func poolField(p CreatePool, field string) string {
	head, _, _ := strings.Cut(field, ".")
	switch {
	case head == "class":
		return p.Input("class")
	case head == "name":
		return p.Input("name")
	case head == "failureDomain", strings.HasPrefix(head, "failureDomains"):
		return p.Input("fd")
	case head == "replicas" && p.Mode == PlanFixed:
		return p.Input("replicas")
	case strings.HasPrefix(field, "metadata.labels"):
		return p.Input("labels")
	case head == "metadata" && (p.Mode != PlanRange || strings.Contains(field, "annotations[") && !strings.Contains(field, "autoscaler")):
		return p.Input("annotations")
	case head == "metadata":
		return p.Input("min")
	}
	return p.Input("name")
}

func clusterField(field string) string {
	field = strings.TrimPrefix(field, "spec.")
	for _, known := range []struct{ prefix, input string }{
		{"metadata.namespace", InputNamespace}, {"metadata.name", InputName}, {"metadata.labels", InputLabels},
		{"metadata.annotations", InputAnnotations}, {"version", InputVersion},
		{"clusterNetwork.pods", InputPods}, {"clusterNetwork.services", InputServices},
	} {
		if strings.HasPrefix(field, known.prefix) {
			return known.input
		}
	}
	return ""
}

// Check finds what is wrong with the variables of all scopes, at their inputs.
func (f *CreateForm) Check(ctx context.Context, checker *catalog.Checker) []fail.Fault {
	form, _ := f.forms()
	return checker.CheckForm(ctx, &form, nil)
}

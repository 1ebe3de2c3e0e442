package topology

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Setter is the field manager that set a pool's number last.
type Setter struct {
	Manager string // as the API server knows it; "" when nobody is known
	Tool    Tool
	At      time.Time // zero when unknown
}

// Tool is what stands behind a field manager.
type Tool string

// The tools. Those that hold a number set it again by themselves, from Git, a
// file or their own judgement; ToolHand is a person with kubectl.
const (
	ToolPortal     Tool = "portal"
	ToolCAPI       Tool = "capi"
	ToolHand       Tool = "hand"
	ToolArgo       Tool = "argo"
	ToolFlux       Tool = "flux"
	ToolHelm       Tool = "helm"
	ToolTerraform  Tool = "terraform"
	ToolApply      Tool = "apply" // kubectl apply: a file that may be applied again
	ToolAutoscaler Tool = "autoscaler"
	ToolUnknown    Tool = "unknown"
)

// Holds tells whether the tool would set its own number again.
func (t Tool) Holds() bool {
	switch t {
	case ToolArgo, ToolFlux, ToolHelm, ToolTerraform, ToolApply, ToolAutoscaler:
		return true
	}
	return false
}

// toolOf knows field managers by what the tools call themselves.
func toolOf(manager string, operation metav1.ManagedFieldsOperationType) Tool {
	if manager == Component {
		return ToolPortal
	}
	name := strings.ToLower(manager)
	for _, known := range []struct {
		begin string
		tool  Tool
	}{
		{"capi-", ToolCAPI}, {"manager", ToolCAPI},
		{"argocd", ToolArgo}, {"argo-cd", ToolArgo},
		{"kustomize-controller", ToolFlux}, {"helm-controller", ToolFlux}, {"flux", ToolFlux},
		{"helm", ToolHelm}, {"terraform", ToolTerraform}, {"hashicorp", ToolTerraform}, {"opentofu", ToolTerraform},
		{"pulumi", ToolTerraform}, {"cluster-autoscaler", ToolAutoscaler},
		{"kubectl-client-side-apply", ToolApply}, {"kubectl-last-applied", ToolApply}, {"before-first-apply", ToolUnknown},
	} {
		if strings.HasPrefix(name, known.begin) {
			return known.tool
		}
	}
	switch {
	case strings.HasPrefix(name, "kubectl") && operation == metav1.ManagedFieldsOperationApply:
		return ToolApply
	case strings.HasPrefix(name, "kubectl"):
		return ToolHand
	default:
		return ToolUnknown
	}
}

// trackedBy is the Git tool that says on the object itself that it keeps it;
// ToolUnknown when none does.
func trackedBy(o metav1.Object) Tool {
	notes, labels := o.GetAnnotations(), o.GetLabels()
	switch {
	case notes["argocd.argoproj.io/tracking-id"] != "", labels["argocd.argoproj.io/instance"] != "":
		return ToolArgo
	case labels["kustomize.toolkit.fluxcd.io/name"] != "", labels["helm.toolkit.fluxcd.io/name"] != "":
		return ToolFlux
	case labels["app.kubernetes.io/managed-by"] == "Helm":
		return ToolHelm
	default:
		return ToolUnknown
	}
}

// setterOf is who set the field at path last; a tool that tracks the whole
// object counts unless the portal's own number has outlived it.
func setterOf(o metav1.Object, path []string) Setter {
	entry := managerOf(o.GetManagedFields(), path)
	if entry == nil {
		return Setter{}
	}
	s := Setter{Manager: entry.Manager, Tool: toolOf(entry.Manager, entry.Operation)}
	if entry.Time != nil {
		s.At = entry.Time.Time
	}
	if s.Tool == ToolUnknown || s.Tool == ToolHand {
		if by := trackedBy(o); by != ToolUnknown {
			s.Tool = by
		}
	}
	return s
}

// ReplicaFields keeps of an object's managedFields who owns any pool's number,
// and nothing else: what a cache of many objects can afford.
func ReplicaFields(entries []metav1.ManagedFieldsEntry) []metav1.ManagedFieldsEntry {
	var out []metav1.ManagedFieldsEntry
	for _, e := range entries {
		if e.FieldsV1 == nil || e.Subresource != "" && e.Subresource != scaleSubresource {
			continue
		}
		kept := keepReplicas(e.FieldsV1.GetRawBytes())
		if kept == nil {
			continue
		}
		slim := metav1.ManagedFieldsEntry{Manager: e.Manager, Operation: e.Operation, Time: e.Time,
			Subresource: e.Subresource, FieldsType: e.FieldsType, FieldsV1: &metav1.FieldsV1{}}
		slim.FieldsV1.SetRawBytes(kept)
		out = append(out, slim)
	}
	return out
}

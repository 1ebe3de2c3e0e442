package catalog

import (
	"strings"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Target is one template of a class, at one place where the class refers to it.
type Target struct {
	Role   Role
	Worker WorkerKind // of worker classes, else empty
	Class  string     // name of the worker class, else empty
	// The reference as the class has it.
	APIVersion, Kind, Name string
}

// Role is what a template is for.
type Role string

// The roles.
const (
	RoleInfrastructure      Role = "infrastructure"
	RoleControlPlane        Role = "control-plane"
	RoleControlPlaneMachine Role = "control-plane-machine"
	RoleBootstrap           Role = "bootstrap"
	RoleWorkerMachine       Role = "worker-machine"
)

// WorkerKind is what the pools of a worker class are.
type WorkerKind string

// The kinds of pools.
const (
	WorkerDeployment WorkerKind = "MachineDeployment"
	WorkerPool       WorkerKind = "MachinePool"
)

// templatesOf lists the templates of a class, each at each place.
func templatesOf(cc *clusterv1.ClusterClass) []Target {
	var out []Target
	add := func(t Target, ref clusterv1.ClusterClassTemplateReference) {
		if ref.IsDefined() {
			t.APIVersion, t.Kind, t.Name = ref.APIVersion, ref.Kind, ref.Name
			out = append(out, t)
		}
	}
	add(Target{Role: RoleInfrastructure}, cc.Spec.Infrastructure.TemplateRef)
	add(Target{Role: RoleControlPlane}, cc.Spec.ControlPlane.TemplateRef)
	add(Target{Role: RoleControlPlaneMachine}, cc.Spec.ControlPlane.MachineInfrastructure.TemplateRef)
	for _, w := range cc.Spec.Workers.MachineDeployments {
		add(Target{Role: RoleBootstrap, Worker: WorkerDeployment, Class: w.Class}, w.Bootstrap.TemplateRef)
		add(Target{Role: RoleWorkerMachine, Worker: WorkerDeployment, Class: w.Class}, w.Infrastructure.TemplateRef)
	}
	for _, w := range cc.Spec.Workers.MachinePools {
		add(Target{Role: RoleBootstrap, Worker: WorkerPool, Class: w.Class}, w.Bootstrap.TemplateRef)
		add(Target{Role: RoleWorkerMachine, Worker: WorkerPool, Class: w.Class}, w.Infrastructure.TemplateRef)
	}
	return out
}

// matching selects templates as Cluster API's inline patches do: version and
// kind must match, and one of the places.
func matching(s clusterv1.PatchSelector, parts []Target) []Target {
	var out []Target
	for _, t := range parts {
		if t.APIVersion == s.APIVersion && t.Kind == s.Kind && matchesPlace(s.MatchResources, t) {
			out = append(out, t)
		}
	}
	return out
}

func matchesPlace(m clusterv1.PatchSelectorMatch, t Target) bool {
	switch {
	case t.Role == RoleInfrastructure:
		return isTrue(m.InfrastructureCluster)
	case t.Role == RoleControlPlane || t.Role == RoleControlPlaneMachine:
		return isTrue(m.ControlPlane)
	case t.Worker == WorkerDeployment && m.MachineDeploymentClass != nil:
		return matchesName(m.MachineDeploymentClass.Names, t.Class)
	case t.Worker == WorkerPool && m.MachinePoolClass != nil:
		return matchesName(m.MachinePoolClass.Names, t.Class)
	default:
		return false
	}
}

// matchesName knows exact names, "*", "*suffix" and "prefix*" (Cluster API:
// core/webhooks/admission/patch_validation.go).
func matchesName(names []string, class string) bool {
	for _, name := range names {
		prefix, isPrefix := strings.CutSuffix(name, "*")
		suffix, isSuffix := strings.CutPrefix(name, "*")
		if name == class || isPrefix && strings.HasPrefix(class, prefix) || isSuffix && strings.HasSuffix(class, suffix) {
			return true
		}
	}
	return false
}

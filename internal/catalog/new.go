package catalog

import (
	"slices"
	"strings"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// NewClass maps a ClusterClass. Class.Clusters is left to whoever knows which
// clusters the person may read.
func NewClass(cc *clusterv1.ClusterClass) Class {
	problems := Problems(cc)
	return Class{
		Namespace: cc.Namespace, Name: cc.Name, Description: describedAs(cc.Annotations), UID: string(cc.UID), Created: cc.CreationTimestamp.Time,
		Infrastructure: madeBy(cc.Spec.Infrastructure.TemplateRef.Kind),
		ControlPlane:   madeBy(cc.Spec.ControlPlane.TemplateRef.Kind),
		Workers:        workerClasses(cc),
		Variables:      countVariables(cc),
		Versions:       append([]string(nil), cc.Spec.KubernetesVersions...),
		Ready:          reconciled(cc),
		Troubles:       len(problems),
		Unusable:       slices.ContainsFunc(problems, func(p Problem) bool { return p.Blocks }),
	}
}

// countVariables counts where NewSchema reads.
func countVariables(cc *clusterv1.ClusterClass) int {
	if len(cc.Status.Variables) == 0 && !reconciled(cc) {
		return len(cc.Spec.Variables)
	}
	return len(cc.Status.Variables)
}

// madeBy is the kind of the objects that a template is for.
func madeBy(kind string) string { return strings.TrimSuffix(kind, clusterv1.TemplateSuffix) }

func workerClasses(cc *clusterv1.ClusterClass) []string {
	var out []string
	for i := range cc.Spec.Workers.MachineDeployments {
		out = append(out, cc.Spec.Workers.MachineDeployments[i].Class)
	}
	for i := range cc.Spec.Workers.MachinePools {
		out = append(out, cc.Spec.Workers.MachinePools[i].Class)
	}
	return out
}

// describedAs is an annotation named description, whoever owns its prefix; a
// ClusterClass has no field for it.
func describedAs(annotations map[string]string) string {
	for _, key := range sortedKeys(annotations) {
		if hintWord(key) == "description" {
			return annotations[key]
		}
	}
	return ""
}

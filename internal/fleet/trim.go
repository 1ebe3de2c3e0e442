package fleet

import (
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/topology"
)

// trim drops from an object, before it is stored, what no page shows.
func trim(in any) (any, error) {
	object, ok := in.(metav1.Object)
	if !ok {
		return in, nil // a tombstone
	}
	object.SetManagedFields(setters(object))
	if notes := object.GetAnnotations(); notes[corev1.LastAppliedConfigAnnotation] != "" {
		delete(notes, corev1.LastAppliedConfigAnnotation)
		object.SetAnnotations(notes)
	}
	trimStatus(object)
	trimOthers(object)
	return object, nil
}

// setters are the managers of replicas where people set them: that much of
// managedFields tells who set a number where Events can't be read or are gone,
// and what the autoscaler did last.
func setters(object metav1.Object) []metav1.ManagedFieldsEntry {
	switch object.(type) {
	case *clusterv1.Cluster:
		return topology.ReplicaFields(object.GetManagedFields())
	case *clusterv1.MachineDeployment:
		_, owned := object.GetLabels()[clusterv1.ClusterTopologyOwnedLabel]
		_, autoscaled := object.GetAnnotations()[clusterv1.AutoscalerMaxSizeAnnotation]
		if autoscaled || !owned {
			return topology.ReplicaFields(object.GetManagedFields())
		}
	}
	return nil
}

// trimStatus drops what CAPI keeps for readers of v1beta1.
func trimStatus(object metav1.Object) {
	switch o := object.(type) {
	case *clusterv1.Cluster:
		o.Status.Deprecated = nil
	case *clusterv1.ClusterClass:
		o.Status.Deprecated = nil
	case *clusterv1.MachineDeployment:
		o.Status.Deprecated = nil
	case *clusterv1.MachineSet:
		o.Status.Deprecated = nil
	case *clusterv1.Machine:
		o.Status.Deprecated = nil
	case *clusterv1.MachinePool:
		o.Status.Deprecated = nil
	case *clusterv1.MachineHealthCheck:
		o.Status.Deprecated = nil
	}
}

func trimOthers(object metav1.Object) {
	switch o := object.(type) {
	case *corev1.Namespace, *rbacv1.Role, *rbacv1.ClusterRole, *rbacv1.RoleBinding, *rbacv1.ClusterRoleBinding:
		object.SetLabels(nil)
		object.SetAnnotations(nil)
		object.SetOwnerReferences(nil)
	case *unstructured.Unstructured:
		trimControlPlane(o)
	}
}

// trimControlPlane keeps of a control plane's spec what CAPI's contract says
// about replicas and version.
func trimControlPlane(u *unstructured.Unstructured) {
	spec, _, _ := unstructured.NestedMap(u.Object, "spec")
	kept := map[string]any{}
	for _, field := range []string{"replicas", "version", "rolloutAfter", "rollout"} {
		if v, ok := spec[field]; ok {
			kept[field] = v
		}
	}
	u.Object["spec"] = kept
	unstructured.RemoveNestedField(u.Object, "status", "deprecated")
	unstructured.RemoveNestedField(u.Object, "status", "v1beta2")
}

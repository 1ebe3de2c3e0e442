package topology

import (
	corev1 "k8s.io/api/core/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// EventAnnotations is how a Change is kept in the annotations of an Event.
func EventAnnotations(c Change) map[string]string { return nil }

// ChangeFrom reads a Change from one of the portal's Events; false when it is
// none.
func ChangeFrom(e *corev1.Event) (Change, bool) { return Change{}, false }

// OwnerOf says who set a pool's replicas in the live Cluster c: the person of
// the portal's change, else the field manager.
func OwnerOf(c *clusterv1.Cluster, w Wish, changes []Change) Owner { return Owner{} }

// DeploymentOwner is OwnerOf for the MachineDeployment of a cluster without a
// topology; c may be nil.
func DeploymentOwner(c *clusterv1.Cluster, md *clusterv1.MachineDeployment, w Wish, changes []Change) Owner {
	return Owner{}
}

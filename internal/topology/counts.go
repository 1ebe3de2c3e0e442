package topology

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// unknownCounts says that nothing is known.
func unknownCounts() Counts {
	return Counts{Desired: -1, Total: -1, Ready: -1, Available: -1, UpToDate: -1, Deleting: -1}
}

// count is an API counter; -1 while the controllers have not reported it.
func count(n *int32) int {
	if n == nil {
		return -1
	}
	return int(*n)
}

// controlPlaneCounts are the control plane's numbers as the Cluster's status
// has them; machines being deleted can't be told apart there.
func controlPlaneCounts(c *clusterv1.Cluster) Counts {
	out := unknownCounts()
	if s := c.Status.ControlPlane; s != nil {
		out = Counts{count(s.DesiredReplicas), count(s.Replicas), count(s.ReadyReplicas),
			count(s.AvailableReplicas), count(s.UpToDateReplicas), -1}
	}
	if r := c.Spec.Topology.ControlPlane.Replicas; r != nil {
		out.Desired = int(*r)
	}
	return out
}

// workerCounts are the numbers of all pools together.
func workerCounts(c *clusterv1.Cluster) Counts {
	out := unknownCounts()
	if s := c.Status.Workers; s != nil {
		out = Counts{count(s.DesiredReplicas), count(s.Replicas), count(s.ReadyReplicas),
			count(s.AvailableReplicas), count(s.UpToDateReplicas), -1}
	}
	if sum, ok := wishedWorkers(c); ok {
		out.Desired = sum
	}
	return out
}

// wishedWorkers adds up what the topology wishes. The status follows the spec
// a moment later, so the spec counts as long as every pool states a number.
func wishedWorkers(c *clusterv1.Cluster) (int, bool) {
	if !c.Spec.Topology.IsDefined() {
		return 0, false
	}
	sum := 0
	for i := range c.Spec.Topology.Workers.MachineDeployments {
		r := c.Spec.Topology.Workers.MachineDeployments[i].Replicas
		if r == nil {
			return 0, false
		}
		sum += int(*r)
	}
	for i := range c.Spec.Topology.Workers.MachinePools {
		r := c.Spec.Topology.Workers.MachinePools[i].Replicas
		if r == nil {
			return 0, false
		}
		sum += int(*r)
	}
	return sum, true
}

func deploymentCounts(md *clusterv1.MachineDeployment) Counts {
	s := &md.Status
	return Counts{count(md.Spec.Replicas), count(s.Replicas), count(s.ReadyReplicas),
		count(s.AvailableReplicas), count(s.UpToDateReplicas), -1}
}

func machinePoolCounts(mp *clusterv1.MachinePool) Counts {
	s := &mp.Status
	return Counts{count(mp.Spec.Replicas), count(s.Replicas), count(s.ReadyReplicas),
		count(s.AvailableReplicas), count(s.UpToDateReplicas), -1}
}

// objectCounts reads the fields that the control plane contract of v1beta2
// names from an object of any kind.
func objectCounts(u *unstructured.Unstructured) Counts {
	at := func(path ...string) int {
		n, found, err := unstructured.NestedInt64(u.Object, path...)
		if err != nil || !found {
			return -1
		}
		return int(n)
	}
	return Counts{at("spec", "replicas"), at("status", "replicas"), at("status", "readyReplicas"),
		at("status", "availableReplicas"), at("status", "upToDateReplicas"), -1}
}

// machineCounts counts the machines themselves, which is exact and at the same
// instant as the machine table: a machine being deleted counts as deleting only.
func machineCounts(machines []*clusterv1.Machine, desired int) Counts {
	out := Counts{Desired: desired}
	for _, m := range machines {
		if !m.DeletionTimestamp.IsZero() {
			out.Deleting++
			continue
		}
		out.Total++
		out.Ready += one(is(m.Status.Conditions, clusterv1.ReadyCondition, metav1.ConditionTrue))
		out.Available += one(is(m.Status.Conditions, clusterv1.AvailableCondition, metav1.ConditionTrue))
		out.UpToDate += one(!is(m.Status.Conditions, clusterv1.MachineUpToDateCondition, metav1.ConditionFalse))
	}
	return out
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

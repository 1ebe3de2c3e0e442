package topology

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// newMachines maps all machines: the control plane's first, then pool by pool,
// oldest first, so that cells keep their place and new ones come last.
func (m *mapper) newMachines(pools []Pool) []Machine {
	rank := map[string]int{}
	for i := range pools {
		rank[pools[i].Name] = i + 1
	}
	var out []Machine
	for _, from := range m.o.Machines {
		out = append(out, m.newMachine(from))
	}
	slices.SortFunc(out, func(a, b Machine) int {
		return cmp.Or(
			cmp.Compare(one(b.ControlPlane), one(a.ControlPlane)),
			cmp.Compare(rank[a.Pool], rank[b.Pool]),
			a.Created.Compare(b.Created),
			strings.Compare(a.Name, b.Name),
		)
	})
	return out
}

func (m *mapper) newMachine(from *clusterv1.Machine) Machine {
	conditions := from.Status.Conditions
	_, marked := from.Annotations[clusterv1.DeleteMachineAnnotation]
	_, updating := from.Annotations[clusterv1.UpdateInProgressAnnotation]
	out := Machine{
		Name: from.Name, UID: string(from.UID), Pool: m.poolOf(from), ControlPlane: ofControlPlane(from),
		Phase: phaseOf(from), Node: from.Status.NodeRef.Name, Version: from.Spec.Version,
		Zone: cmp.Or(from.Status.FailureDomain, from.Spec.FailureDomain), Created: from.CreationTimestamp.Time,
		Ready:    is(conditions, clusterv1.ReadyCondition, metav1.ConditionTrue),
		UpToDate: !is(conditions, clusterv1.MachineUpToDateCondition, metav1.ConditionFalse),
		Deleting: !from.DeletionTimestamp.IsZero(), Marked: marked, Updating: updating,
		Healthy: healthy(from), Outdated: m.outdated(from),
	}
	if why := reasonOf(from); why != nil && !out.Ready {
		out.Reason = cmp.Or(why.Message, why.Reason)
	}
	return out
}

// reasonOf is the condition that tells most about a machine that is not ready:
// while one goes, Deleting names the Pods that the drain waits for.
func reasonOf(m *clusterv1.Machine) *metav1.Condition {
	conditions := m.Status.Conditions
	if c := find(conditions, clusterv1.MachineDeletingCondition); c != nil && c.Status == metav1.ConditionTrue && c.Message != "" {
		return c
	}
	return find(conditions, clusterv1.ReadyCondition)
}

func phaseOf(m *clusterv1.Machine) string {
	if !m.DeletionTimestamp.IsZero() {
		return string(clusterv1.MachinePhaseDeleting)
	}
	return cmp.Or(m.Status.Phase, string(clusterv1.MachinePhasePending))
}

func ofControlPlane(m *clusterv1.Machine) bool {
	_, ok := m.Labels[clusterv1.MachineControlPlaneLabel]
	return ok
}

// poolOf names a machine's pool by its labels; "" for the control plane and for
// machines of no pool.
func (m *mapper) poolOf(from *clusterv1.Machine) string {
	if ofControlPlane(from) {
		return ""
	}
	l := from.Labels
	if m.topology {
		if name := cmp.Or(l[clusterv1.ClusterTopologyMachineDeploymentNameLabel], l[clusterv1.ClusterTopologyMachinePoolNameLabel]); name != "" {
			return name
		}
	}
	object := cmp.Or(l[clusterv1.MachineDeploymentNameLabel], l[clusterv1.MachinePoolNameLabel])
	if name, ok := m.poolOfObject[object]; ok {
		return name
	}
	return object
}

// healthy is what the deletion order takes for it (isMachineHealthy in CAPI's
// machineset_deletion_order.go): Unknown counts as healthy.
func healthy(m *clusterv1.Machine) bool {
	return m.Status.NodeRef.IsDefined() &&
		!is(m.Status.Conditions, clusterv1.MachineNodeHealthyCondition, metav1.ConditionFalse) &&
		!is(m.Status.Conditions, clusterv1.MachineHealthCheckSucceededCondition, metav1.ConditionFalse)
}

// outdated tells whether a machine stands in an older MachineSet than its
// deployment's newest: those are emptied before the newest one shrinks.
func (m *mapper) outdated(from *clusterv1.Machine) bool {
	set, ok := m.sets[from.Labels[clusterv1.MachineSetNameLabel]]
	if !ok {
		return is(from.Status.Conditions, clusterv1.MachineUpToDateCondition, metav1.ConditionFalse)
	}
	return revision(set) < m.newestRevision[set.Labels[clusterv1.MachineDeploymentNameLabel]]
}

func revision(ms *clusterv1.MachineSet) int {
	n, err := strconv.Atoi(ms.Annotations[clusterv1.RevisionAnnotation])
	if err != nil {
		return 0
	}
	return n
}

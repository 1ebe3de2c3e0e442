package topology

import (
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// mapper turns the objects of one cluster into a Cluster. Its indexes are made
// once; everything is matched by label, never by position or name prefix.
type mapper struct {
	o              Objects
	c              *clusterv1.Cluster
	now            time.Time
	topology       bool
	max            int
	deployments    map[string]*clusterv1.MachineDeployment // by pool
	machinePools   map[string]*clusterv1.MachinePool       // by pool
	poolOfObject   map[string]string                       // pool by name of its object
	sets           map[string]*clusterv1.MachineSet        // by name
	newestRevision map[string]int                          // by name of the MachineDeployment
	machines       map[string][]*clusterv1.Machine         // by pool
	cpMachines     []*clusterv1.Machine
}

// NewCluster maps everything the page of a cluster shows. o.Cluster must be
// set.
func NewCluster(o Objects, now time.Time) Cluster {
	m := newMapper(o, now)
	out := Cluster{
		Summary:         NewSummary(o.Cluster, o.Changes, now),
		ResourceVersion: o.Cluster.ResourceVersion, Topology: m.topology,
		CPKind: o.Cluster.Spec.ControlPlaneRef.Kind, Pause: pauseOf(o.Cluster),
		Conditions: newConditions(o.Cluster), Changes: newestFirst(o.Cluster, o.Changes),
		Denied: o.Denied, May: o.May, ClassUnready: m.topology && classUnready(o.Cluster, o.Class),
		CP: m.newPool(m.controlPlane()), Pools: m.newPools(), HeldBack: m.heldBack(),
	}
	if e := o.Cluster.Spec.ControlPlaneEndpoint; e.IsValid() {
		out.Endpoint = e.String()
	}
	out.Machines = m.newMachines(out.Pools)
	return out
}

func newMapper(o Objects, now time.Time) *mapper {
	m := &mapper{
		o: o, c: o.Cluster, now: now, topology: o.Cluster.Spec.Topology.IsDefined(), max: o.Max,
		deployments: map[string]*clusterv1.MachineDeployment{}, machinePools: map[string]*clusterv1.MachinePool{},
		poolOfObject: map[string]string{}, sets: map[string]*clusterv1.MachineSet{},
		newestRevision: map[string]int{}, machines: map[string][]*clusterv1.Machine{},
	}
	if m.max == 0 {
		m.max = DefaultMax
	}
	m.indexPools()
	for _, ms := range o.MachineSets {
		m.sets[ms.Name] = ms
		of := ms.Labels[clusterv1.MachineDeploymentNameLabel]
		m.newestRevision[of] = max(m.newestRevision[of], revision(ms))
	}
	for _, machine := range o.Machines {
		if ofControlPlane(machine) {
			m.cpMachines = append(m.cpMachines, machine)
			continue
		}
		pool := m.poolOf(machine)
		m.machines[pool] = append(m.machines[pool], machine)
	}
	return m
}

func (m *mapper) indexPools() {
	for _, md := range m.o.MachineDeployments {
		pool := m.poolName(md.Name, md.Labels[clusterv1.ClusterTopologyMachineDeploymentNameLabel])
		m.deployments[pool] = md
		m.poolOfObject[md.Name] = pool
	}
	for _, mp := range m.o.MachinePools {
		pool := m.poolName(mp.Name, mp.Labels[clusterv1.ClusterTopologyMachinePoolNameLabel])
		m.machinePools[pool] = mp
		m.poolOfObject[mp.Name] = pool
	}
}

func (m *mapper) poolName(object, label string) string {
	if m.topology && label != "" {
		return label
	}
	return object
}

// denied tells whether the person may not list a kind.
func (m *mapper) denied(k Kind) bool { return m.o.Denied[k] }

func newestFirst(c *clusterv1.Cluster, changes []Change) []Change {
	out := slices.DeleteFunc(slices.Clone(changes), func(ch Change) bool { return ch.UID != string(c.UID) })
	slices.SortStableFunc(out, func(a, b Change) int { return b.At.Compare(a.At) })
	return withCreation(c, out)
}

// withCreation adds who created the cluster, which the portal noted on it: the
// Event that tells so is gone after an hour or so.
func withCreation(c *clusterv1.Cluster, changes []Change) []Change {
	who := c.Annotations[AnnotationCreator]
	if who == "" || slices.ContainsFunc(changes, func(ch Change) bool { return ch.Created }) {
		return changes
	}
	return append(changes, Change{UID: string(c.UID), Who: who, Created: true, At: c.CreationTimestamp.Time})
}

// byName sorts objects whose order the API leaves open.
func byName[T interface{ GetName() string }](objects []T) []T {
	return slices.SortedFunc(slices.Values(objects), func(a, b T) int {
		return strings.Compare(a.GetName(), b.GetName())
	})
}

// classUnready tells whether the class is known not to be reconciled, as CAPI's
// own webhook takes it (core/webhooks/admission/cluster.go,
// clusterClassIsReconciled): its Clusters are then accepted without full
// validation, and wait.
func classUnready(c *clusterv1.Cluster, class *clusterv1.ClusterClass) bool {
	if topology := find(c.Status.Conditions, clusterv1.ClusterTopologyReconciledCondition); topology != nil &&
		topology.Reason == clusterv1.ClusterTopologyReconciledClusterClassNotReconciledReason {
		return true
	}
	if class == nil {
		return false
	}
	ready := find(class.Status.Conditions, clusterv1.ClusterClassVariablesReadyCondition)
	return class.Generation != class.Status.ObservedGeneration || ready == nil || ready.Status == metav1.ConditionFalse
}

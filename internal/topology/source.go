package topology

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/message"
)

// source is all that a pool is made from, whatever its kind.
type source struct {
	name, class string
	kind        PoolKind
	replicas    *int32 // where people write it: the topology, else the object
	span        span
	inherited   bool // at least one bound comes from the class
	ranged      bool // the pool has a bound of its own
	setter      Setter
	managed     bool         // annotated as scaled by somebody else
	unknown     bool         // the object may not be read
	locked      message.Text // found from the kind alone
	machines    []*clusterv1.Machine

	// Of the MachineDeployment, MachinePool or control plane; all zero while
	// there is none.
	object     string
	deleting   bool
	scaledTo   *int // its spec.replicas
	settled    bool // its controller has seen its spec
	version    string
	order      string
	conditions []metav1.Condition
	counts     Counts // from its status
}

func (m *mapper) newPools() []Pool {
	var out []Pool
	t := &m.c.Spec.Topology
	listed := map[string]bool{}
	for i := range t.Workers.MachineDeployments {
		s := m.ofDeploymentTopology(&t.Workers.MachineDeployments[i])
		listed[s.object] = true
		out = append(out, m.newPool(s))
	}
	for i := range t.Workers.MachinePools {
		s := m.ofMachinePoolTopology(&t.Workers.MachinePools[i])
		listed[s.object] = true
		out = append(out, m.newPool(s))
	}
	for _, md := range byName(m.o.MachineDeployments) {
		if !listed[md.Name] {
			out = append(out, m.newPool(m.ofDeployment(md)))
		}
	}
	for _, mp := range byName(m.o.MachinePools) {
		if !listed[mp.Name] {
			out = append(out, m.newPool(m.ofMachinePool(mp)))
		}
	}
	return out
}

func (m *mapper) ofDeploymentTopology(t *clusterv1.MachineDeploymentTopology) source {
	class := deploymentClass(m.o.Class, t.Class)
	s := source{name: t.Name, class: t.Class, kind: PoolMachineDeployment, counts: unknownCounts(),
		unknown: m.denied(KindMachineDeployment), machines: m.machines[t.Name]}
	if md := m.deployments[t.Name]; md != nil {
		s.addDeployment(md)
	}
	s.replicas = t.Replicas
	s.span = rangeOf(class.Metadata.Annotations, t.Metadata.Annotations)
	s.inherited, s.ranged = rangeOf(class.Metadata.Annotations).named > 0, rangeOf(t.Metadata.Annotations).named > 0
	if s.setter.Tool != ToolAutoscaler {
		s.setter = setterOf(m.c, replicasPath(s.kind, s.name))
	}
	s.order = cmp.Or(string(t.Deletion.Order), s.order, string(class.Deletion.Order))
	return s
}

func (m *mapper) ofMachinePoolTopology(t *clusterv1.MachinePoolTopology) source {
	class := machinePoolClass(m.o.Class, t.Class)
	s := source{name: t.Name, class: t.Class, kind: PoolMachinePool, counts: unknownCounts(),
		unknown: m.denied(KindMachinePool), machines: m.machines[t.Name]}
	if mp := m.machinePools[t.Name]; mp != nil {
		s.addMachinePool(mp)
	}
	s.replicas = t.Replicas
	s.span = rangeOf(class.Metadata.Annotations, t.Metadata.Annotations)
	s.inherited, s.ranged = rangeOf(class.Metadata.Annotations).named > 0, rangeOf(t.Metadata.Annotations).named > 0
	if s.setter.Tool != ToolAutoscaler {
		s.setter = setterOf(m.c, replicasPath(s.kind, s.name))
	}
	for _, a := range []map[string]string{class.Metadata.Annotations, t.Metadata.Annotations} {
		_, by := a[clusterv1.ReplicasManagedByAnnotation]
		s.managed = s.managed || by
	}
	return s
}

// ofDeployment is a pool without a place in the topology.
func (m *mapper) ofDeployment(md *clusterv1.MachineDeployment) source {
	name := m.poolOfObject[md.Name]
	s := source{name: name, kind: PoolMachineDeployment, machines: m.machines[name]}
	s.addDeployment(md)
	s.replicas = md.Spec.Replicas
	s.span = rangeOf(md.Annotations)
	s.ranged = s.span.named > 0
	if m.topology {
		s.locked = message.New("locked.not-in-topology")
	}
	return s
}

func (m *mapper) ofMachinePool(mp *clusterv1.MachinePool) source {
	name := m.poolOfObject[mp.Name]
	s := source{name: name, kind: PoolMachinePool, machines: m.machines[name]}
	s.addMachinePool(mp)
	s.replicas = mp.Spec.Replicas
	s.span = rangeOf(mp.Annotations)
	s.locked = message.New("locked.machine-pool-plain", message.Str("name", mp.Name))
	if m.topology {
		s.locked = message.New("locked.not-in-topology")
	}
	return s
}

func (m *mapper) controlPlane() source {
	ref := m.c.Spec.ControlPlaneRef
	s := source{kind: PoolControlPlane, machines: m.cpMachines, counts: controlPlaneCounts(m.c),
		unknown: m.o.ControlPlane == nil, object: ref.Name, version: m.c.Spec.Topology.Version}
	if u := m.o.ControlPlane; u != nil {
		s.addControlPlane(u)
	}
	switch {
	case m.topology:
		s.replicas, s.setter = m.c.Spec.Topology.ControlPlane.Replicas, setterOf(m.c, replicasPath(PoolControlPlane, ""))
		if s.replicas == nil {
			s.locked = message.New("locked.control-plane-external")
		}
	case ref.IsDefined():
		s.replicas = api(s.scaledTo)
		s.locked = message.New("locked.control-plane-plain", message.Str("kind", ref.Kind), message.Str("name", ref.Name))
	default:
		s.locked = message.New("locked.control-plane-external")
	}
	return s
}

func (s *source) addDeployment(md *clusterv1.MachineDeployment) {
	s.object, s.deleting = md.Name, !md.DeletionTimestamp.IsZero()
	s.scaledTo, s.settled = number(md.Spec.Replicas), md.Status.ObservedGeneration >= md.Generation
	s.version, s.order = md.Spec.Template.Spec.Version, string(md.Spec.Deletion.Order)
	s.conditions, s.counts = md.Status.Conditions, deploymentCounts(md)
	s.setter = setterOf(md, plainReplicasPath())
}

func (s *source) addMachinePool(mp *clusterv1.MachinePool) {
	_, s.managed = mp.Annotations[clusterv1.ReplicasManagedByAnnotation]
	s.object, s.deleting = mp.Name, !mp.DeletionTimestamp.IsZero()
	s.scaledTo, s.settled = number(mp.Spec.Replicas), mp.Status.ObservedGeneration >= mp.Generation
	s.version = mp.Spec.Template.Spec.Version
	s.conditions, s.counts = mp.Status.Conditions, machinePoolCounts(mp)
}

func (s *source) addControlPlane(u *unstructured.Unstructured) {
	s.object, s.deleting = u.GetName(), u.GetDeletionTimestamp() != nil
	s.counts = objectCounts(u)
	if s.counts.Desired >= 0 {
		n := s.counts.Desired
		s.scaledTo = &n
	}
	seen, found, err := unstructured.NestedInt64(u.Object, "status", "observedGeneration")
	s.settled = err != nil || !found || seen >= u.GetGeneration()
	if v, found, err := unstructured.NestedString(u.Object, "spec", "version"); err == nil && found {
		s.version = v
	}
	s.conditions = conditionsIn(u)
}

// deploymentClass is the worker class of a name; the zero class when the
// ClusterClass is not there.
func deploymentClass(class *clusterv1.ClusterClass, name string) clusterv1.MachineDeploymentClass {
	if class != nil {
		for i := range class.Spec.Workers.MachineDeployments {
			if c := class.Spec.Workers.MachineDeployments[i]; c.Class == name {
				return c
			}
		}
	}
	return clusterv1.MachineDeploymentClass{}
}

func machinePoolClass(class *clusterv1.ClusterClass, name string) clusterv1.MachinePoolClass {
	if class != nil {
		for i := range class.Spec.Workers.MachinePools {
			if c := class.Spec.Workers.MachinePools[i]; c.Class == name {
				return c
			}
		}
	}
	return clusterv1.MachinePoolClass{}
}

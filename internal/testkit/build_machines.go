package testkit

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

func uid(kind, namespace, name string) types.UID {
	return types.UID(kind + "-" + namespace + "-" + name)
}

// DeploymentBuilder builds a MachineDeployment, step by step.
type DeploymentBuilder struct{ md *clusterv1.MachineDeployment }

// NewDeployment begins the MachineDeployment that the topology controller makes
// for a pool; its name is deliberately not made of the pool's.
func NewDeployment(c *clusterv1.Cluster, pool, name string, replicas int32) *DeploymentBuilder {
	md := &clusterv1.MachineDeployment{ObjectMeta: meta("MachineDeployment", c.Namespace, name)}
	md.Labels[clusterv1.ClusterNameLabel] = c.Name
	if c.Spec.Topology.IsDefined() {
		md.Labels[clusterv1.ClusterTopologyOwnedLabel] = ""
		md.Labels[clusterv1.ClusterTopologyMachineDeploymentNameLabel] = pool
	}
	md.OwnerReferences = []metav1.OwnerReference{{Kind: "Cluster", Name: c.Name, UID: c.UID}}
	md.Spec.ClusterName, md.Spec.Replicas = c.Name, &replicas
	md.Spec.Template.Spec.Version = c.Spec.Topology.Version
	md.Status.ObservedGeneration = md.Generation
	b := &DeploymentBuilder{md}
	return b.Status(replicas, replicas).Condition(clusterv1.AvailableCondition, metav1.ConditionTrue, "", Epoch())
}

// Build gives the MachineDeployment.
func (b *DeploymentBuilder) Build() *clusterv1.MachineDeployment { return b.md }

// Status sets the counters: machines there and those ready.
func (b *DeploymentBuilder) Status(total, ready int32) *DeploymentBuilder {
	s := &b.md.Status
	s.Replicas, s.ReadyReplicas, s.AvailableReplicas, s.UpToDateReplicas = &total, &ready, &ready, &total
	return b
}

// Condition sets a condition.
func (b *DeploymentBuilder) Condition(kind string, status metav1.ConditionStatus, message string, at time.Time) *DeploymentBuilder {
	b.md.Status.Conditions = replace(b.md.Status.Conditions, Condition(kind, status, kind, message, at))
	return b
}

// NewMachineSet is a MachineSet of a deployment; revision orders them.
func NewMachineSet(md *clusterv1.MachineDeployment, name, revision string, replicas int32) *clusterv1.MachineSet {
	ms := &clusterv1.MachineSet{ObjectMeta: meta("MachineSet", md.Namespace, name)}
	ms.Labels[clusterv1.ClusterNameLabel] = md.Spec.ClusterName
	ms.Labels[clusterv1.MachineDeploymentNameLabel] = md.Name
	ms.Annotations[clusterv1.RevisionAnnotation] = revision
	ms.Spec.ClusterName, ms.Spec.Replicas = md.Spec.ClusterName, &replicas
	return ms
}

// MachineBuilder builds a Machine, step by step.
type MachineBuilder struct{ m *clusterv1.Machine }

// NewMachine begins a Running machine of a deployment that is Ready since Epoch.
func NewMachine(md *clusterv1.MachineDeployment, set, name string) *MachineBuilder {
	b := newMachine(md.Namespace, md.Spec.ClusterName, name)
	for key, value := range md.Labels {
		b.m.Labels[key] = value
	}
	b.m.Labels[clusterv1.MachineDeploymentNameLabel] = md.Name
	b.m.Labels[clusterv1.MachineSetNameLabel] = set
	b.m.Spec.Version = md.Spec.Template.Spec.Version
	return b
}

// NewControlPlaneMachine begins a Running machine of the control plane.
func NewControlPlaneMachine(c *clusterv1.Cluster, name string) *MachineBuilder {
	b := newMachine(c.Namespace, c.Name, name)
	b.m.Labels[clusterv1.MachineControlPlaneLabel] = ""
	b.m.Spec.Version = c.Spec.Topology.Version
	return b
}

func newMachine(namespace, cluster, name string) *MachineBuilder {
	m := &clusterv1.Machine{ObjectMeta: meta("Machine", namespace, name)}
	m.Labels[clusterv1.ClusterNameLabel] = cluster
	m.Spec.ClusterName = cluster
	m.Status.NodeRef.Name = "node-" + name
	b := (&MachineBuilder{m}).Phase("Running")
	for _, kind := range []string{clusterv1.ReadyCondition, clusterv1.AvailableCondition, clusterv1.MachineUpToDateCondition,
		clusterv1.InfrastructureReadyCondition, clusterv1.BootstrapConfigReadyCondition} {
		b.Condition(kind, metav1.ConditionTrue, "", Epoch())
	}
	return b
}

// Build gives the Machine.
func (b *MachineBuilder) Build() *clusterv1.Machine { return b.m }

// Phase sets status.phase.
func (b *MachineBuilder) Phase(phase string) *MachineBuilder {
	b.m.Status.Phase = phase
	return b
}

// Condition sets a condition.
func (b *MachineBuilder) Condition(kind string, status metav1.ConditionStatus, message string, at time.Time) *MachineBuilder {
	b.m.Status.Conditions = replace(b.m.Status.Conditions, Condition(kind, status, kind, message, at))
	return b
}

// Starting makes it a machine that was created at a time and waits for message.
func (b *MachineBuilder) Starting(at time.Time, message string) *MachineBuilder {
	b.m.CreationTimestamp = metav1.NewTime(at)
	b.m.Status.NodeRef = clusterv1.MachineNodeReference{}
	b.Phase("Provisioning").Condition(clusterv1.InfrastructureReadyCondition, metav1.ConditionFalse, message, at)
	b.Condition(clusterv1.ReadyCondition, metav1.ConditionFalse, message, at)
	return b.Condition(clusterv1.AvailableCondition, metav1.ConditionFalse, "", at)
}

// Ready makes it a machine that was created at one time and ready at another.
func (b *MachineBuilder) Ready(created, at time.Time) *MachineBuilder {
	b.m.CreationTimestamp = metav1.NewTime(created)
	for i := range b.m.Status.Conditions {
		b.m.Status.Conditions[i].LastTransitionTime = metav1.NewTime(at)
	}
	return b
}

// Deleting sets a deletion timestamp; such a machine is not Ready.
func (b *MachineBuilder) Deleting(at time.Time) *MachineBuilder {
	b.m.DeletionTimestamp = &metav1.Time{Time: at}
	return b.Phase("Deleting").Condition(clusterv1.ReadyCondition, metav1.ConditionFalse, "* Deleting: draining", at)
}

// Annotate adds an annotation.
func (b *MachineBuilder) Annotate(key, value string) *MachineBuilder {
	b.m.Annotations[key] = value
	return b
}

// NewControlPlane is a control plane object of any kind with v1beta2's fields.
func NewControlPlane(c *clusterv1.Cluster, replicas, ready int64) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": c.Spec.ControlPlaneRef.APIGroup + "/v1beta2", "kind": c.Spec.ControlPlaneRef.Kind,
		"spec": map[string]any{"replicas": replicas, "version": c.Spec.Topology.Version},
		"status": map[string]any{"replicas": replicas, "readyReplicas": ready, "availableReplicas": ready,
			"upToDateReplicas": replicas},
	}}
	u.SetNamespace(c.Namespace)
	u.SetName(c.Spec.ControlPlaneRef.Name)
	return u
}

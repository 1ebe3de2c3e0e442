package testkit

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Epoch is the instant at which built objects were created, unless told
// otherwise.
func Epoch() time.Time { return time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC) }

// meta is the metadata of a built object; its uid is made of its kind and name.
func meta(kind, namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: namespace, Name: name, UID: uid(kind, namespace, name), Generation: 1,
		ResourceVersion: "1", CreationTimestamp: metav1.NewTime(Epoch()),
		Labels: map[string]string{}, Annotations: map[string]string{},
	}
}

// Condition is a v1beta2 condition that changed at a time.
func Condition(kind string, status metav1.ConditionStatus, reason, message string, at time.Time) metav1.Condition {
	return metav1.Condition{Type: kind, Status: status, Reason: reason, Message: message, LastTransitionTime: metav1.NewTime(at)}
}

// ClusterBuilder builds a Cluster, step by step.
type ClusterBuilder struct{ c *clusterv1.Cluster }

// NewCluster begins a Cluster of the class catalog/plain at v1.35.0 with a
// KubeadmControlPlane of one machine, initialized and Available since Epoch.
func NewCluster(namespace, name string) *ClusterBuilder {
	yes, one := true, int32(1)
	c := &clusterv1.Cluster{ObjectMeta: meta("Cluster", namespace, name)}
	c.Spec.ControlPlaneRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: "controlplane.cluster.x-k8s.io", Kind: "KubeadmControlPlane", Name: name + "-cp"}
	c.Spec.Topology = clusterv1.Topology{
		ClassRef:     clusterv1.ClusterClassRef{Namespace: "catalog", Name: "plain"},
		Version:      "v1.35.0",
		ControlPlane: clusterv1.ControlPlaneTopology{Replicas: &one},
	}
	c.Status.Initialization.ControlPlaneInitialized = &yes
	b := (&ClusterBuilder{c}).CPStatus(1, 1).WorkersStatus(0, 0)
	return b.Condition(clusterv1.AvailableCondition, metav1.ConditionTrue, "", Epoch())
}

// Build gives the Cluster; the builder must not be used afterwards.
func (b *ClusterBuilder) Build() *clusterv1.Cluster { return b.c }

// WithoutTopology removes the topology: the cluster is run by hand.
func (b *ClusterBuilder) WithoutTopology() *ClusterBuilder {
	b.c.Spec.Topology = clusterv1.Topology{}
	return b
}

// Pool adds a MachineDeployment of worker class "default" to the topology.
func (b *ClusterBuilder) Pool(name string, replicas int32) *ClusterBuilder {
	return b.addPool(clusterv1.MachineDeploymentTopology{Name: name, Class: "default", Replicas: &replicas})
}

// AutoscaledPool adds one with replicas unset; an empty bound is left out.
func (b *ClusterBuilder) AutoscaledPool(name, lowest, highest string) *ClusterBuilder {
	md := clusterv1.MachineDeploymentTopology{Name: name, Class: "default"}
	md.Metadata.Annotations = Range(lowest, highest)
	return b.addPool(md)
}

func (b *ClusterBuilder) addPool(md clusterv1.MachineDeploymentTopology) *ClusterBuilder {
	w := &b.c.Spec.Topology.Workers
	w.MachineDeployments = append(w.MachineDeployments, md)
	return b
}

// MachinePool adds a MachinePool to the topology; nil leaves replicas unset.
func (b *ClusterBuilder) MachinePool(name string, replicas *int32) *ClusterBuilder {
	w := &b.c.Spec.Topology.Workers
	w.MachinePools = append(w.MachinePools, clusterv1.MachinePoolTopology{Name: name, Class: "default", Replicas: replicas})
	return b
}

// ControlPlane sets the wished size of the control plane; nil leaves it unset.
func (b *ClusterBuilder) ControlPlane(replicas *int32) *ClusterBuilder {
	b.c.Spec.Topology.ControlPlane.Replicas = replicas
	return b
}

// Version sets the wished version.
func (b *ClusterBuilder) Version(v string) *ClusterBuilder {
	b.c.Spec.Topology.Version = v
	return b
}

// CPStatus sets the control plane's counters: machines there and those ready.
func (b *ClusterBuilder) CPStatus(total, ready int32) *ClusterBuilder {
	b.c.Status.ControlPlane = &clusterv1.ClusterControlPlaneStatus{DesiredReplicas: &total, Replicas: &total,
		ReadyReplicas: &ready, AvailableReplicas: &ready, UpToDateReplicas: &total}
	return b
}

// WorkersStatus sets the workers' counters: machines there and those ready.
func (b *ClusterBuilder) WorkersStatus(total, ready int32) *ClusterBuilder {
	b.c.Status.Workers = &clusterv1.WorkersStatus{DesiredReplicas: &total, Replicas: &total,
		ReadyReplicas: &ready, AvailableReplicas: &ready, UpToDateReplicas: &total}
	return b
}

// Condition sets a condition, in place of one of the same type.
func (b *ClusterBuilder) Condition(kind string, status metav1.ConditionStatus, message string, at time.Time) *ClusterBuilder {
	return b.Reason(kind, status, kind, message, at)
}

// Reason is Condition with a reason of its own.
func (b *ClusterBuilder) Reason(kind string, status metav1.ConditionStatus, reason, message string, at time.Time) *ClusterBuilder {
	b.c.Status.Conditions = replace(b.c.Status.Conditions, Condition(kind, status, reason, message, at))
	return b
}

// Paused asks for a pause.
func (b *ClusterBuilder) Paused() *ClusterBuilder {
	yes := true
	b.c.Spec.Paused = &yes
	return b
}

// Deleting sets a deletion timestamp.
func (b *ClusterBuilder) Deleting(at time.Time) *ClusterBuilder {
	b.c.DeletionTimestamp = &metav1.Time{Time: at}
	return b
}

// Created sets the creation timestamp.
func (b *ClusterBuilder) Created(at time.Time) *ClusterBuilder {
	b.c.CreationTimestamp = metav1.NewTime(at)
	return b
}

// Change edits the Cluster freely.
func (b *ClusterBuilder) Change(edit func(*clusterv1.Cluster)) *ClusterBuilder {
	edit(b.c)
	return b
}

// Range is the autoscaler's annotations; an empty bound is left out.
func Range(lowest, highest string) map[string]string {
	out := map[string]string{}
	if lowest != "" {
		out[clusterv1.AutoscalerMinSizeAnnotation] = lowest
	}
	if highest != "" {
		out[clusterv1.AutoscalerMaxSizeAnnotation] = highest
	}
	return out
}

func replace(conditions []metav1.Condition, c metav1.Condition) []metav1.Condition {
	for i := range conditions {
		if conditions[i].Type == c.Type {
			conditions[i] = c
			return conditions
		}
	}
	return append(conditions, c)
}

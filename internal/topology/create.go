package topology

import (
	"maps"
	"strconv"

	"github.com/capstan-portal/capstan/internal/catalog"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// The annotations by which the portal knows a cluster that it created: the
// random id of the form, and who sent it.
const (
	AnnotationForm    = annotationPrefix + "form"
	AnnotationCreator = annotationPrefix + "created-by"
)

// Plan is a cluster to be created.
type Plan struct {
	Ref
	Form         string // random id of the form that it was typed into
	Class        Ref
	Version      string
	ControlPlane *int // nil leaves it to the provider
	Pods         []string
	Services     []string
	Labels       map[string]string
	Annotations  map[string]string
	Pools        []PlannedPool
	Variables    []clusterv1.ClusterVariable
	Overrides    []clusterv1.ClusterVariable // of the control plane
	Kept         Kept                        // what no input of the form shows
}

// PlannedPool is a pool with a number of machines, with a range of its own, or
// with neither where its class has a range.
type PlannedPool struct {
	Kind          catalog.WorkerKind
	Class, Name   string
	Replicas      *int
	Min, Max      *int
	FailureDomain string
	Labels        map[string]string
	Annotations   map[string]string
	Overrides     []clusterv1.ClusterVariable
	Kept          Kept
}

// Created says what became of a Plan.
type Created struct {
	Ref
	ResourceVersion string
	Already         bool               // the same form had created it before
	Warnings        []string           // admission's
	Object          *clusterv1.Cluster // as it is, or after a dry run as it would be; nil when it was there already
}

// Cluster is the plan as an object, without the form's own annotations.
func (p Plan) Cluster() *clusterv1.Cluster {
	c := &clusterv1.Cluster{}
	p.Kept.into(c)
	c.TypeMeta = metav1.TypeMeta{APIVersion: clusterv1.GroupVersion.String(), Kind: clusterv1.ClusterKind}
	c.Namespace, c.Name = p.Namespace, p.Name
	c.Labels, c.Annotations = joined(c.Labels, p.Labels), joined(c.Annotations, p.Annotations)
	c.Spec.ClusterNetwork.Pods.CIDRBlocks = p.Pods
	c.Spec.ClusterNetwork.Services.CIDRBlocks = p.Services
	t := &c.Spec.Topology
	t.ClassRef.Name = p.Class.Name
	if p.Class.Namespace != p.Namespace {
		t.ClassRef.Namespace = p.Class.Namespace
	}
	t.Version, t.Variables = p.Version, p.Variables
	t.ControlPlane.Replicas = pointer32(p.ControlPlane)
	t.ControlPlane.Variables.Overrides = p.Overrides
	for i := range p.Pools {
		p.Pools[i].addTo(&t.Workers)
	}
	return c
}

// addTo makes the pool what its kind of topology holds: what was kept first, then
// what the form says.
func (p *PlannedPool) addTo(w *clusterv1.WorkersTopology) {
	notes := joined(nil, p.Annotations)
	if p.Min != nil && p.Max != nil {
		notes = joined(notes, map[string]string{
			clusterv1.AutoscalerMinSizeAnnotation: strconv.Itoa(*p.Min),
			clusterv1.AutoscalerMaxSizeAnnotation: strconv.Itoa(*p.Max),
		})
	}
	if p.Kind == catalog.WorkerPool {
		mp := clusterv1.MachinePoolTopology{}
		p.Kept.into(&mp)
		mp.Class, mp.Name, mp.Replicas, mp.Variables.Overrides = p.Class, p.Name, pointer32(p.Replicas), p.Overrides
		mp.Metadata = metadataOf(mp.Metadata, p.Labels, notes)
		if p.FailureDomain != "" {
			mp.FailureDomains = []string{p.FailureDomain}
		}
		w.MachinePools = append(w.MachinePools, mp)
		return
	}
	md := clusterv1.MachineDeploymentTopology{}
	p.Kept.into(&md)
	md.Class, md.Name, md.Replicas, md.Variables.Overrides = p.Class, p.Name, pointer32(p.Replicas), p.Overrides
	md.FailureDomain, md.Metadata = p.FailureDomain, metadataOf(md.Metadata, p.Labels, notes)
	w.MachineDeployments = append(w.MachineDeployments, md)
}

func metadataOf(kept clusterv1.ObjectMeta, labels, annotations map[string]string) clusterv1.ObjectMeta {
	return clusterv1.ObjectMeta{Labels: joined(kept.Labels, labels), Annotations: joined(kept.Annotations, annotations)}
}

// joined is both; nil when both are empty.
func joined(kept, typed map[string]string) map[string]string {
	if len(kept)+len(typed) == 0 {
		return nil
	}
	out := map[string]string{}
	maps.Copy(out, kept)
	maps.Copy(out, typed)
	return out
}

func pointer32(n *int) *int32 {
	if n == nil {
		return nil
	}
	v := int32(*n) //nolint:gosec // checked against a maximum far below
	return &v
}

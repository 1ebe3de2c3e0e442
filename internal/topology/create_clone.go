package topology

import (
	"maps"
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// FromManifest is CreateForm.From of a form that a pasted manifest filled in.
const FromManifest = "manifest"

// Clonable says why no form can be made of a Cluster; nil when one can.
func Clonable(c *clusterv1.Cluster) *fail.Error {
	name := message.Str("cluster", c.Namespace+"/"+c.Name)
	if !c.Spec.Topology.IsDefined() {
		return fail.New(fail.Invalid, message.New("create.clone.no-class", name))
	}
	if n := poolsOf(c); n > MaxPools {
		return fail.New(fail.Invalid, message.New("create.clone.pools", name, message.Num("n", n), message.Num("max", MaxPools)))
	}
	return nil
}

func poolsOf(c *clusterv1.Cluster) int {
	w := &c.Spec.Topology.Workers
	return len(w.MachineDeployments) + len(w.MachinePools)
}

// CreateFormOf is the form of a Cluster, to make another like it: one that
// exists, or one that was written down. What the form can't show is kept, what
// belongs to the other object alone is left out; both are said.
func CreateFormOf(c *clusterv1.Cluster, b catalog.Blueprint, id string) CreateForm {
	t := &c.Spec.Topology
	living := c.UID != ""
	f := CreateForm{
		ID: id, Generation: b.Generation, From: c.Namespace + "/" + c.Name, Namespace: c.Namespace, Version: t.Version,
		ControlPlane: digits32(t.ControlPlane.Replicas),
		Pods:         strings.Join(c.Spec.ClusterNetwork.Pods.CIDRBlocks, ", "),
		Services:     strings.Join(c.Spec.ClusterNetwork.Services.CIDRBlocks, ", "),
		Variables:    catalog.FromVariables(b.Schema, prefixVariables, t.Variables),
		Overrides:    catalog.FromVariables(b.Schema, prefixControlPlane, t.ControlPlane.Variables.Overrides),
	}
	f.Labels = f.Kept.settle("/metadata/labels", c.Labels, living)
	f.Annotations = f.Kept.settle("/metadata/annotations", c.Annotations, living)
	f.Kept.collect("", treeOf(c), shownOfCluster(), insideCluster(), living)
	for i := range t.Workers.MachineDeployments {
		md := &t.Workers.MachineDeployments[i]
		p := CreatePool{Class: WorkerValue(catalog.WorkerDeployment, md.Class), Name: md.Name, FailureDomain: md.FailureDomain}
		p.Kept.collect("", treeOf(md), shownOfPool("/failureDomain"), insidePool(), living)
		f.clonePool(b, p, md.Replicas, md.Metadata, md.Variables.Overrides)
	}
	for i := range t.Workers.MachinePools {
		mp := &t.Workers.MachinePools[i]
		p := CreatePool{Class: WorkerValue(catalog.WorkerPool, mp.Class), Name: mp.Name}
		shown := shownOfPool()
		if len(mp.FailureDomains) == 1 { // of several the form can't show but one
			p.FailureDomain, shown = mp.FailureDomains[0], shownOfPool("/failureDomains")
		}
		p.Kept.collect("", treeOf(mp), shown, insidePool(), living)
		f.clonePool(b, p, mp.Replicas, mp.Metadata, mp.Variables.Overrides)
	}
	return f
}

// shownOfCluster are the parts of a Cluster that the form has inputs for, and
// insideCluster those of which it has inputs for some.
func shownOfCluster() []string {
	return []string{
		"/apiVersion", "/kind", "/metadata/name", "/metadata/namespace", "/metadata/labels", "/metadata/annotations",
		"/spec/clusterNetwork/pods", "/spec/clusterNetwork/services",
		"/spec/topology/classRef", "/spec/topology/version", "/spec/topology/variables", "/spec/topology/workers",
		"/spec/topology/controlPlane/replicas", "/spec/topology/controlPlane/variables",
	}
}

func insideCluster() []string {
	return []string{"/metadata", "/spec", "/spec/clusterNetwork", "/spec/topology", "/spec/topology/controlPlane"}
}

func shownOfPool(besides ...string) []string {
	return append([]string{"/class", "/name", "/replicas", "/variables", "/metadata/labels", "/metadata/annotations"}, besides...)
}

func insidePool() []string { return []string{"/metadata"} }

func (f *CreateForm) clonePool(b catalog.Blueprint, p CreatePool, replicas *int32, metadata clusterv1.ObjectMeta, overrides []clusterv1.ClusterVariable) {
	p.ID, p.Mode, p.Replicas = f.freeID(), PlanFixed, digits32(replicas)
	annotations := maps.Clone(metadata.Annotations)
	if own := rangeOf(annotations); own.complete() {
		p.Mode, p.Min, p.Max = PlanRange, strconv.Itoa(*own.min), strconv.Itoa(*own.max)
		delete(annotations, clusterv1.AutoscalerMinSizeAnnotation)
		delete(annotations, clusterv1.AutoscalerMaxSizeAnnotation)
	} else if classRange(b, p).complete() {
		p.Mode = PlanInherit
	}
	if p.Mode != PlanFixed && replicas != nil {
		p.Kept.Left = append(p.Kept.Left, LeftOut{"/replicas", LeftBoth})
	}
	p.Labels = p.Kept.settle("/metadata/labels", metadata.Labels, true)
	p.Annotations = p.Kept.settle("/metadata/annotations", annotations, true)
	p.Overrides = catalog.FromVariables(b.Schema, poolPrefix(p.ID), overrides)
	f.Pools = append(f.Pools, p)
}

func digits32(n *int32) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(int(*n))
}

package topology

import (
	"sort"
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// CreateFormOf is the form of an existing cluster, to make another like it. Its
// name stays behind, and so do labels that Cluster API itself sets.
func CreateFormOf(c *clusterv1.Cluster, b catalog.Blueprint, id string) CreateForm {
	t := &c.Spec.Topology
	f := CreateForm{
		ID: id, Generation: b.Generation, From: c.Namespace + "/" + c.Name, Namespace: c.Namespace, Version: t.Version,
		ControlPlane: digits32(t.ControlPlane.Replicas), Labels: pairText(c.Labels),
		Pods:      strings.Join(c.Spec.ClusterNetwork.Pods.CIDRBlocks, ", "),
		Services:  strings.Join(c.Spec.ClusterNetwork.Services.CIDRBlocks, ", "),
		Variables: catalog.FromVariables(b.Schema, prefixVariables, t.Variables),
		Overrides: catalog.FromVariables(b.Schema, prefixControlPlane, t.ControlPlane.Variables.Overrides),
	}
	for _, md := range t.Workers.MachineDeployments {
		p := CreatePool{Class: WorkerValue(catalog.WorkerDeployment, md.Class), Name: md.Name, FailureDomain: md.FailureDomain}
		f.clonePool(b, p, md.Replicas, md.Metadata.Annotations, md.Variables.Overrides)
	}
	for _, mp := range t.Workers.MachinePools {
		p := CreatePool{Class: WorkerValue(catalog.WorkerPool, mp.Class), Name: mp.Name}
		if len(mp.FailureDomains) > 0 {
			p.FailureDomain = mp.FailureDomains[0]
		}
		f.clonePool(b, p, mp.Replicas, mp.Metadata.Annotations, mp.Variables.Overrides)
	}
	return f
}

func (f *CreateForm) clonePool(b catalog.Blueprint, p CreatePool, replicas *int32, annotations map[string]string, overrides []clusterv1.ClusterVariable) {
	p.ID, p.Mode, p.Replicas = f.freeID(), PlanFixed, digits32(replicas)
	if own := rangeOf(annotations); own.complete() {
		p.Mode, p.Min, p.Max = PlanRange, strconv.Itoa(*own.min), strconv.Itoa(*own.max)
	} else if classRange(b, p).complete() {
		p.Mode = PlanInherit
	}
	p.Overrides = catalog.FromVariables(b.Schema, poolPrefix(p.ID), overrides)
	f.Pools = append(f.Pools, p)
}

func digits32(n *int32) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(int(*n))
}

func pairText(m map[string]string) string {
	var out []string
	for key, value := range m {
		if !strings.Contains(key, "cluster.x-k8s.io/") {
			out = append(out, key+"="+value)
		}
	}
	sort.Strings(out)
	return strings.Join(out, "\n")
}

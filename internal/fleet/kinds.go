package fleet

import (
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/topology"
)

// capiKind is a resource of CAPI's core group, as rights name it.
func capiKind(resource string) auth.Kind {
	return auth.Kind{Group: clusterv1.GroupVersion.Group, Resource: resource}
}

// kindOf is the resource of a kind; topology's names of CAPI's core kinds are
// the resources' names.
func kindOf(k topology.Kind) auth.Kind {
	if k == topology.KindEvent {
		return auth.Kind{Resource: string(k)}
	}
	return capiKind(string(k))
}

// missing says a right as kubectl would name it, for example
// "patch clusters.cluster.x-k8s.io in team-a".
func missing(verb string, k auth.Kind, namespace string) string {
	name := k.Resource
	if k.Group != "" {
		name += "." + k.Group
	}
	return verb + " " + name + " in " + namespace
}

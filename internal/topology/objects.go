package topology

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// DefaultMax is the number of machines that one pool may have unless the
// configuration says otherwise.
const DefaultMax = 1000

// Objects are the CAPI objects of one cluster, as far as the person may read
// them. They are only read, never changed.
type Objects struct {
	Cluster            *clusterv1.Cluster
	Class              *clusterv1.ClusterClass // nil: none, or not readable
	MachineDeployments []*clusterv1.MachineDeployment
	MachineSets        []*clusterv1.MachineSet
	Machines           []*clusterv1.Machine
	MachinePools       []*clusterv1.MachinePool
	HealthChecks       []*clusterv1.MachineHealthCheck
	ControlPlane       *unstructured.Unstructured // nil: unknown or not readable
	Changes            []Change                   // any order
	// Denied are the kinds that the person may not list; a list that is empty
	// and not denied means that there are none.
	Denied map[Kind]bool
	May    Rights
	// Max is the configured maximum per pool; 0 means DefaultMax.
	Max int
}

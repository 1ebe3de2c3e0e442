// Package catalog understands ClusterClasses.
//
// ClusterClass → Class (what the catalogue shows), later → Form → variables of
// a Cluster. Pure: it imports CAPI's types and nothing that dials.
package catalog

import "time"

// Class is one ClusterClass as the catalogue lists it.
type Class struct {
	Namespace, Name string
	Description     string // what its owner says it is for; may be empty
	UID             string
	Created         time.Time
	Infrastructure  string   // kind of the infrastructure template's object, for example DevCluster
	ControlPlane    string   // kind of the control plane, for example KubeadmControlPlane
	Workers         []string // names of the worker classes, machine deployments first
	Variables       int      // number of variables, as in Schema
	Versions        []string // spec.kubernetesVersions, oldest first; may be empty
	Clusters        int      // how many clusters of this class the person may read
	Ready           bool     // reconciled: variables can be trusted
	Troubles        int      // number of Problems
	Unusable        bool     // one of them keeps all clusters from being built
}

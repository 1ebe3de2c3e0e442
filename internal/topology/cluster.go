// Package topology turns CAPI objects into what people talk about, and wishes
// into the smallest patch.
//
// Objects (one cluster's CAPI objects, read by fleet) → NewSummary, NewCluster
// → views. A Wish and the live Cluster → Patch → fleet. Everything here is
// pure: no I/O, no clock but the one passed in; the objects are never changed.
package topology

import (
	"time"

	"github.com/capstan-portal/capstan/internal/message"
)

// Ref names a cluster.
type Ref struct{ Namespace, Name string }

// String is namespace/name.
func (r Ref) String() string { return r.Namespace + "/" + r.Name }

// Kind is a kind of object that a person may or may not be permitted to list.
type Kind string

// The kinds a cluster's page is made of.
const (
	KindCluster           Kind = "clusters"
	KindClass             Kind = "clusterclasses"
	KindMachineDeployment Kind = "machinedeployments"
	KindMachineSet        Kind = "machinesets"
	KindMachine           Kind = "machines"
	KindMachinePool       Kind = "machinepools"
	KindHealthCheck       Kind = "machinehealthchecks"
	KindControlPlane      Kind = "controlplanes"
	KindEvent             Kind = "events"
)

// Summary is a row of the cluster list, made of the Cluster object (and the
// portal's own change events) alone.
type Summary struct {
	Ref
	UID          string
	Class        Ref    // zero without a topology
	Version      string // wished version; may be empty without a topology
	Created      time.Time
	Labels       map[string]string
	State        State
	Follows      Follows // its class
	ControlPlane Counts
	Workers      Counts
	Mine         bool // the person may change clusters in its namespace, or this one
}

// Cluster is everything the page of one cluster shows.
type Cluster struct {
	Summary
	ResourceVersion string
	Topology        bool   // has spec.topology
	Endpoint        string // host:port, may be empty
	CPKind          string // kind of the control plane object, for example KubeadmControlPlane; may be empty
	Pause           Pause
	CP              Pool   // the control plane; its Kind is PoolControlPlane
	Pools           []Pool // in the order of the topology
	Machines        []Machine
	Conditions      []Condition
	ClassUnready    bool       // the class is known not to be reconciled
	Changes         []Change   // newest first, from the portal's events
	HeldBack        []HeldBack // health checks that may not replace sick machines
	Denied          map[Kind]bool
	May             Rights
}

// Rights is what the person may do with this cluster.
type Rights struct {
	// Scale is whether the object that holds the replicas may be patched.
	Scale bool
	// Missing is the right that is missing for it, as kubectl would name it,
	// for example "patch clusters.cluster.x-k8s.io in team-a".
	Missing string
}

// Pause is the request to pause and the controllers' answer to it.
type Pause struct {
	Requested    bool
	Acknowledged bool
}

// Counts are numbers of machines. Desired is -1 while nothing states a wish.
// Any field is -1 while it is unknown: not reported yet, or the person may not
// read the objects it is counted from. Unknown is never 0.
type Counts struct {
	Desired   int // the wish
	Total     int // machines that exist and are not being deleted
	Ready     int
	Available int
	UpToDate  int
	Deleting  int
}

// StateKind is what state a cluster or pool is in; the words are in State.Text.
type StateKind string

// The states, in the order of attention of the list.
const (
	StateFailed    StateKind = "failed"
	StateStalled   StateKind = "stalled"
	StateOutOfSync StateKind = "out-of-sync"
	StateUnknown   StateKind = "unknown"
	StateDeleting  StateKind = "deleting"
	StateCreating  StateKind = "creating"
	StateUpgrading StateKind = "upgrading"
	StateScaleUp   StateKind = "scale-up"
	StateScaleDown StateKind = "scale-down"
	StateRollout   StateKind = "rollout"
	StatePaused    StateKind = "paused"
	StateHealthy   StateKind = "healthy"
)

// State is a state and how to say it ("Scaling 3 → 8").
type State struct {
	Kind StateKind
	Text message.Text
}

package topology

import (
	"time"

	"github.com/capstan-portal/capstan/internal/message"
)

// PoolKind says which list of the topology a pool stands in.
type PoolKind string

// The kinds of pool.
const (
	PoolControlPlane      PoolKind = "control-plane"
	PoolMachineDeployment PoolKind = "machine-deployment"
	PoolMachinePool       PoolKind = "machine-pool"
)

// Mode says who decides the number of a pool's machines.
type Mode string

// The modes: exactly one at a time.
const (
	ModeFixed      Mode = "fixed"      // spec replicas, set by people
	ModeAutoscaled Mode = "autoscaled" // replicas unset, min and max annotations
	ModeExternal   Mode = "external"   // replicas unset without a range, or the provider has no replicas
)

// Pool is the control plane or one worker pool: the wish and the truth.
type Pool struct {
	Name     string // the topology's name; without a topology the MachineDeployment's
	Class    string // worker class, may be empty
	Kind     PoolKind
	Mode     Mode
	Object   string // name of the MachineDeployment, MachinePool or control plane object
	Wish     *int   // spec replicas; nil when unset
	Min, Max *int   // autoscaling range, from the pool or its class
	// Inherited says that at least one of the bounds is the class's: CAPI's
	// webhook then refuses a number, whatever the pool says.
	Inherited bool
	Ranged    bool         // the pool has bounds of its own, if incomplete
	Fault     message.Text // what is wrong with number and range; zero when nothing is
	Setter    Setter       // who set the number last, as managedFields say it
	// Freeze and Release say whether the pool can be taken from the autoscaler
	// at its present number, Counts.Desired, and given to it.
	Freeze, Release bool
	Counts          Counts
	Limit           int // the end of the slider, sensible for the present size
	State           State
	Locked          message.Text // why nobody can scale it here; zero when it can be scaled
	Order           string       // deletion order: Random, Newest or Oldest; "" is Random
	LastWord        *LastWord    // of the autoscaler; nil when it said nothing that can be read
	Progress        *Progress    // of the change under way or just finished; nil when there is none
}

// Progress is the way from a wish to the truth, derived from objects alone.
type Progress struct {
	From, To int
	Who      string // who wished it, empty when unknown
	Began    time.Time
	Ended    time.Time // zero while under way
	Steps    []Step
	Stalled  message.Text // why it does not go on; zero while it does
}

// StepState is how far a step is.
type StepState string

// The states of a step.
const (
	StepWaiting StepState = "waiting"
	StepRunning StepState = "running"
	StepDone    StepState = "done"
	StepStalled StepState = "stalled"
)

// Step is one station of a Progress.
type Step struct {
	Text        message.Text // "Machines created"
	State       StepState
	Done, Total int       // 3 of 5; both 0 for a step without count
	At          time.Time // when it was finished or last advanced; zero when unknown
}

// Machine is one row of the machine table.
type Machine struct {
	Name, UID, Pool string // Pool is Pool.Name; "" for the control plane
	ControlPlane    bool
	Phase           string // CAPI's phase: Pending, Provisioning, Provisioned, Running, Deleting, Failed, Unknown
	Node, Version   string
	Zone            string
	Created         time.Time
	Ready           bool
	UpToDate        bool
	Deleting        bool   // has a deletion timestamp
	Marked          bool   // annotated cluster.x-k8s.io/delete-machine
	Updating        bool   // an in-place update is under way
	Healthy         bool   // as the deletion order takes it: has a node and no failed check
	Outdated        bool   // stands in an older MachineSet than the pool's newest
	Reason          string // why it is not ready, may have several lines; CAPI's words
}

// Tone is how a condition is to be taken, polarity considered.
type Tone string

// The tones.
const (
	ToneGood    Tone = "good"
	ToneMoving  Tone = "moving"
	ToneWarn    Tone = "warn"
	ToneBad     Tone = "bad"
	ToneNeutral Tone = "neutral"
)

// Condition is a v1beta2 condition of the Cluster.
type Condition struct {
	Type, Status, Reason string
	Message              string // may be a multi-line list
	Since                time.Time
	Tone                 Tone
}

// Change is a write that the portal recorded as an Event on the Cluster.
type Change struct {
	UID       string // of the Cluster it was made on
	Pool      string
	Kind      PoolKind
	Who       string // as the management cluster sees the person, with prefix
	Display   string // what pages call the person; empty in older Events
	From, To  *int   // nil: unset
	At        time.Time
	RequestID string
	// Created: the cluster was created; it is about no pool then.
	Created bool
	// Range is what the autoscaler was given; nil where a number was set.
	Range *Range
	// Before is the range that the pool had before; nil: none, or not recorded.
	Before *Range
	// Generation is metadata.generation of the written object after the write;
	// 0 when unknown.
	Generation int64
}

// Preview is what a change of a pool's replicas would do.
type Preview struct {
	Pool    string
	Kind    PoolKind
	From    *int
	To      int
	Added   int
	Removed []string // names of the machines that go first, in order; as far as it can be foretold
	Rest    int      // how many more go than Removed names
	Confirm Confirm
	Switch  Mode   // who decides afterwards, if that changes; "" when it doesn't
	Range   *Range // what the autoscaler gets, for Switch ModeAutoscaled
	// Notes are what the person should know before: that the change waits for
	// the end of a pause, that one control plane machine is not highly
	// available, …
	Notes []message.Text
}

// Confirm is what the person must acknowledge before a change is applied.
type Confirm string

// The confirmations.
const (
	ConfirmNone Confirm = ""
	ConfirmHalf Confirm = "half" // down by half or more
	ConfirmZero Confirm = "zero" // down to nothing: the pool's name is to be typed
)

// Wish is one request to scale, as the form sent it.
type Wish struct {
	Ref
	UID      string // of the Cluster that the person saw
	Pool     string
	Kind     PoolKind
	Seen     *int // replicas that the person saw; nil: unset
	Replicas int
	// Switch says who decides afterwards: ModeFixed sets Replicas and takes the
	// autoscaler's range away, ModeAutoscaled sets Range and takes the number
	// away. "" only scales a pool that has a number.
	Switch    Mode
	Range     *Range // for ModeAutoscaled
	SeenRange *Range // the pool's whole range as the person saw it; nil: none
	// Anyway says that the person writes although somebody else's tool holds
	// the number, see Owner.Held.
	Anyway bool
}

// Range is what the Cluster Autoscaler may choose from.
type Range struct{ Min, Max int }

// Written is the answer to a write.
type Written struct {
	ResourceVersion string
	Already         bool     // the value stood there already; nothing was written
	Warnings        []string // admission's warnings
	// Owner is who held the number just before, also beside an error that says
	// so; Patch is what was sent, a JSON patch.
	Owner Owner
	Patch []byte
}

// Owner is who holds a pool's replicas now, read live.
type Owner struct {
	UID     string // of the Cluster now
	Now     *int   // replicas now; nil: unset
	Range   *Range // the autoscaler's range now; nil: none
	Missing bool   // the pool has gone
	Who     string // person from the portal's change, else the field manager
	At      time.Time
	Setter  Setter // who holds the field, whoever the person was
	Held    bool   // Setter's tool would set its own number again
}

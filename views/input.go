package views

import (
	"time"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/topology"
)

// ClustersInput is what the list of clusters is made of.
type ClustersInput struct {
	Listing topology.Listing
	// Contact is whom to ask for rights, from the configuration; may be empty.
	Contact string
	// MayCreate: the person may create clusters somewhere.
	MayCreate bool
}

// ClusterInput is what the page of one cluster is made of.
type ClusterInput struct {
	Cluster topology.Cluster
	Draft   *Draft // the change that is being previewed; nil when there is none
	// NotSeen is set after a write that the portal's own cache has not seen
	// within 2 s: "written, not seen yet".
	NotSeen bool
}

// Draft is a change that was typed but is not applied: preview, refusal or
// conflict. The typed text stays whatever happens.
type Draft struct {
	Pool     string
	Kind     topology.PoolKind
	Typed    string            // as typed, even when it is no number
	Preview  *topology.Preview // nil when the text can't be taken
	Accepted bool              // the dry run said yes
	Checked  time.Time         // when the dry run was made; zero when there was none
	Warnings []string          // admission's
	Failure  *fail.Error       // why it can't be applied; nil when it can
	Conflict *Conflict         // somebody else set another value; nil when nobody did
	Confirm  bool              // a confirmation was asked for and is still missing
	// Switch says that the draft changes who decides: topology.ModeFixed takes
	// Typed, topology.ModeAutoscaled takes Min and Max as typed.
	Switch   topology.Mode
	Min, Max string
	// Owner is who holds the number now, known after a dry run; Handover is the
	// change for somebody who would rather make it there.
	Owner    topology.Owner
	Handover topology.Handover
	Unasked  bool // "write anyway" was asked for and is still missing
}

// Conflict is two people wishing different numbers, ranges or deciders.
type Conflict struct {
	Seen, Now *int
	NowRange  *topology.Range // the autoscaler's range now; nil: none
	Typed     int
	Switch    topology.Mode   // who was to decide, see Draft
	Range     *topology.Range // the range that was typed, for topology.ModeAutoscaled
	Who       string          // who set Now, from the portal's change or managedFields; may be empty
	At        time.Time       // zero when unknown
}

// CatalogInput is what the list of classes is made of.
type CatalogInput struct {
	Classes []catalog.Class
	Search  string
	Contact string
}

// MeInput is who somebody is and what they may do where.
type MeInput struct {
	User   auth.User
	Rights []auth.NamespaceRights
	// Expires is when the session ends at the latest.
	Expires time.Time
}

// ErrorInput is what an error page says.
type ErrorInput struct {
	Status  int
	Failure fail.Error
	// Asked: the page was only asked for, nothing was typed.
	Asked bool
	// Typed are form values that must not be lost.
	Typed []Typed
	// Action is where the form with the typed values is posted to again; empty
	// when it can't be sent once more.
	Action string
}

// Typed is one form value to be kept.
type Typed struct{ Name, Value string }

package topology

import (
	"time"

	"github.com/capstan-portal/capstan/internal/message"
)

// Outcome is how a change ended for the one who made it: finished a while ago,
// or stuck.
type Outcome struct {
	Ref
	UID      string // of the Cluster
	Kind     PoolKind
	Pool     string
	From, To int
	Began    time.Time
	Stalled  message.Text // why it does not go on; zero when it has finished
}

// OutcomesOf gives how the latest changes that who made on c ended.
func OutcomesOf(c Cluster, who string) []Outcome {
	var out []Outcome
	for _, p := range append([]Pool{c.CP}, c.Pools...) {
		g := p.Progress
		if g == nil || g.Who != who || g.Ended.IsZero() && g.Stalled.IsZero() {
			continue
		}
		o := Outcome{Ref: c.Ref, UID: c.UID, Kind: p.Kind, Pool: p.Name, From: g.From, To: g.To, Began: g.Began}
		if g.Ended.IsZero() {
			o.Stalled = g.Stalled
		}
		out = append(out, o)
	}
	return out
}

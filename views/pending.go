package views

import (
	"strconv"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// pendingView is the change that is typed and not applied: what it does, what
// admission says, and the way to apply or to leave it.
type pendingView struct {
	Page
	Open               bool
	FormID, Pool       string
	From, To           string
	What               string   // "5 machines added"
	Goes               []string // names that go first
	GoesTitle          string
	Rest               string // "and 3 more"
	Checked            when
	Accepted           bool
	Admission          string
	Warnings           []string
	Why                string // why it can't be applied
	Faults             []string
	Conflict           *conflictView
	Half, Zero, Missed bool
	Apply              string
	Ready              bool // Apply may be pressed
	Danger             bool
	Cancel             templ.SafeURL
	Notes              []string // what to know before
	Holder             string   // whose tool would set its own number again; empty when nobody's
	Held, Unasked      bool     // "write anyway" is needed; and was missing
	Handover           topology.Handover
}

type conflictView struct {
	Text, Keep, Set  string
	Action           templ.SafeURL
	UID, Seen, To    string
	Mode             topology.Mode // who shall decide; "" only scales
	Min, Max         string        // the range that was typed
	SeenMin, SeenMax string        // the range that stands there now
	At               when
}

// Pending is the panel of the pending change alone, for the answer to a
// preview that asks for this fragment; its root has the id "pending".
func Pending(p Page, in ClusterInput) templ.Component { return pending(newPending(p, in)) }

func newPending(p Page, in ClusterInput) pendingView {
	d := in.Draft
	v := pendingView{Page: p, Cancel: templ.SafeURL(p.URLs.Cluster(in.Cluster.Ref))}
	if d == nil {
		return v
	}
	v.Open, v.Pool, v.FormID = true, d.Pool, formID(d.Kind, d.Pool)
	if d.Kind == topology.PoolControlPlane {
		v.Pool = p.t("views.cp")
	}
	if d.Switch != "" {
		v.FormID = switchID(d.Kind, d.Pool)
	}
	v.To, v.Checked, v.Warnings = d.Typed, clock(d.Checked), d.Warnings
	v.Missed, v.Apply = d.Confirm, p.t("views.pending.apply")
	if d.Preview != nil {
		v.preview(p, d.Preview)
	}
	if d.Failure != nil {
		v.Why = p.Say.Say(d.Failure.Text)
		for _, fault := range d.Failure.Faults {
			// A single fault often is the whole reason: it is said once.
			if said := p.Say.Say(fault.Text); said != v.Why {
				v.Faults = append(v.Faults, said)
			}
		}
	}
	if d.Conflict != nil {
		v.Conflict = newConflict(p, in, *d)
	}
	v.Accepted = d.Accepted
	if d.Accepted {
		v.Admission = p.t("views.pending.accepted")
	}
	v.Ready = d.Preview != nil && d.Conflict == nil && (d.Failure == nil || d.Confirm || d.Unasked)
	v.owner(p, d)
	return v
}

func (v *pendingView) preview(p Page, w *topology.Preview) {
	v.From, v.To = p.wish(w.From), message.Number(w.To)
	for _, note := range w.Notes {
		v.Notes = append(v.Notes, p.Say.Say(note))
	}
	gone := len(w.Removed) + w.Rest
	switch {
	case w.Added > 0:
		v.What = p.t("views.pending.added", message.Num("n", w.Added))
	case gone > 0:
		v.What = p.t("views.pending.removed", message.Num("n", gone))
	case w.Switch == "":
		v.What = p.t("views.pending.none")
	}
	v.decider(p, w)
	v.Goes, v.GoesTitle = w.Removed, p.t("views.pending.first")
	if w.To == 0 {
		v.GoesTitle = p.t("views.pending.all")
	}
	if w.Rest > 0 && len(w.Removed) == 0 {
		v.Rest = p.t("views.pending.unforetold", message.Num("n", w.Rest))
	} else if w.Rest > 0 {
		v.Rest = p.t("views.pending.rest", message.Num("n", w.Rest))
	}
	v.Half, v.Zero = w.Confirm == topology.ConfirmHalf, w.Confirm == topology.ConfirmZero
	v.Danger = v.Zero
	if v.Zero {
		v.Apply = p.t("views.pending.apply.zero")
	}
}

// decider says who decides afterwards, where that changes.
func (v *pendingView) decider(p Page, w *topology.Preview) {
	switch {
	case w.Switch == topology.ModeFixed:
		v.Notes = append([]string{p.t("views.pending.fixed")}, v.Notes...)
	case w.Range != nil && w.From == nil:
		v.To = p.autoscaled(*w.Range)
		v.From = ""
	case w.Range != nil:
		v.To = p.autoscaled(*w.Range)
		v.Notes = append([]string{p.t("views.pending.released")}, v.Notes...)
	}
}

// owner names whose number it is, and offers the change to be made there.
func (v *pendingView) owner(p Page, d *Draft) {
	s := d.Owner.Setter
	foreign := s.Manager != "" && s.Tool != topology.ToolPortal && s.Tool != topology.ToolCAPI
	if !foreign || d.Conflict != nil {
		return
	}
	v.Held, v.Unasked, v.Handover = d.Owner.Held, d.Unasked, d.Handover
	key := message.Key("views.pending.setter")
	if v.Held {
		key = "views.pending.holder"
	}
	v.Holder = p.t(key, message.Str("manager", p.tool(s)))
	if d.Switch != "" {
		v.Handover.YAML = ""
	}
}

func newConflict(p Page, in ClusterInput, d Draft) *conflictView {
	c := d.Conflict
	now := p.wish(c.Now)
	if c.NowRange != nil {
		now = p.autoscaled(*c.NowRange)
	}
	v := &conflictView{
		Text:   p.t("views.conflict.somebody", message.Str("now", now)),
		Keep:   p.t("views.conflict.keep", message.Str("now", now)),
		Set:    p.t("views.conflict.set", message.Num("n", c.Typed)),
		Action: templ.SafeURL(p.URLs.Scale(in.Cluster.Ref, d.Kind, address(d.Kind, d.Pool))),
		UID:    in.Cluster.UID, Seen: optional(c.Now), To: strconv.Itoa(c.Typed), Mode: c.Switch, At: clock(c.At),
	}
	if c.Who != "" {
		v.Text = p.t("views.conflict.who", message.Str("who", c.Who), message.Str("now", now))
	}
	v.SeenMin, v.SeenMax = bounds(c.NowRange)
	if c.Switch == topology.ModeAutoscaled && c.Range != nil {
		v.Min, v.Max = bounds(c.Range)
		v.Set = p.t("views.conflict.range", message.Num("min", c.Range.Min), message.Num("max", c.Range.Max))
	} else if c.Switch == topology.ModeFixed {
		v.Set = p.t("views.switch.fix", message.Str("n", v.To))
	}
	return v
}

// autoscaled says a range.
func (p Page) autoscaled(r topology.Range) string {
	return p.t("views.pending.range", message.Num("min", r.Min), message.Num("max", r.Max))
}

// bounds writes a range for a form; both are empty without one.
func bounds(r *topology.Range) (low, high string) {
	if r == nil {
		return "", ""
	}
	return strconv.Itoa(r.Min), strconv.Itoa(r.Max)
}

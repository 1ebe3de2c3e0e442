package views

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// poolView is one worker pool or the control plane: the truth in words on the
// left, what goes on on the right, and the slider that shows both.
type poolView struct {
	Page
	ID, FormID   string
	Title        string
	Name         string
	Class        string
	Object       string
	Mode         string // words under the name; empty when people set the number
	ModeIcon     string
	Truth, Rest  string // "5 of 8 ready", "3 starting"
	State        stateView
	Since        when // of the change under way
	Gauge        gaugeView
	Form         formView
	Steps        []stepView
	StepsLabel   string
	Stalled      string
	Undo         *undoView
	Cells        []string // the control plane's machines, as phases
	ControlPlane bool
	Range        string // "2 – 10", of an autoscaled pool
	Fault        string // what is wrong with number and range, and what to do
	Holder       string // whose tool set the number last; empty when it is nobody's
	HolderSince  when
	Word         string // what the autoscaler said last
	WordTone     string
	WordAt       when
	Switch       *switchView // who decides, and how that is changed; nil when it can't be
}

// formView is what is posted: only the number field and what was seen count.
type formView struct {
	Action              templ.SafeURL
	UID, Seen, Value    string
	Shown, Enabled      bool
	Why                 string // why it is not enabled
	Dirty               bool
	Invalid             bool
	RangeValue          string
	Label, Aria         string // name of the field; words of its value
	AriaText            string // the same with {n} for a typed number
	DraftText           string // "{from} → {to}, not applied"
	Draft               string // the same for the typed number; empty without draft
	OtherText           string // "Someone set {n} meanwhile."
	Fewer, More         string
	ErrorID, PreviewKey string
	Min, Step           string
	Choices             []sizeView // sensible sizes, where they are few
	ChoicesLabel        string
}

// sizeView is one of a few numbers to choose from.
type sizeView struct {
	N       string
	Current bool
}

func poolID(kind topology.PoolKind, name string) string { return "pool-" + string(kind) + "-" + name }

func formID(kind topology.PoolKind, name string) string { return "form-" + string(kind) + "-" + name }

func newPool(p Page, in ClusterInput, pool topology.Pool) poolView {
	c := in.Cluster
	draft := in.draftOf(pool)
	v := poolView{
		Page: p, ID: poolID(pool.Kind, pool.Name), FormID: formID(pool.Kind, pool.Name),
		Title: pool.Name, Name: pool.Name, Class: pool.Class, Object: pool.Object,
		State: newState(p, pool.State), Steps: newSteps(p, pool.Progress), StepsLabel: p.t("views.steps.label"),
		ControlPlane: pool.Kind == topology.PoolControlPlane,
	}
	if v.ControlPlane {
		v.Title, v.Class = p.t("views.cp"), c.CPKind
		v.Cells = phasesOf(c.Machines)
	}
	v.Truth, v.Rest = truth(p, pool, c.Denied)
	v.mode(p, pool)
	if pool.Progress != nil {
		if pool.Progress.Ended.IsZero() {
			v.Since = clock(pool.Progress.Began)
		}
		if why := p.Say.Say(pool.Progress.Stalled); why != v.State.Text {
			v.Stalled = why
		}
		v.Undo = newUndo(p, c, pool)
	}
	if back := newSwitchUndo(p, c, pool); back != nil {
		v.Undo = back
	}
	v.Fault = faultText(p, pool)
	v.Holder, v.HolderSince = holder(p, pool)
	if w := pool.LastWord; w != nil {
		v.Word, v.WordTone, v.WordAt = p.t("views.holder.word", message.Str("text", w.Text)), "text-ink-2", clock(w.At)
		if w.Warn {
			v.WordTone = "text-warn"
		}
	}
	v.Switch = newSwitch(p, in, pool, draft)
	v.Form = newForm(p, in, pool, draft)
	if draft != nil && draft.Switch != "" {
		draft = nil // the slider stays; its own form shows what was typed
	}
	v.Gauge = newGauge(pool, typedNumber(draft))
	return v
}

func (v *poolView) mode(p Page, pool topology.Pool) {
	switch pool.Mode {
	case topology.ModeAutoscaled:
		v.Mode, v.ModeIcon = p.t("views.mode.autoscaled"), "auto"
		if pool.Min != nil && pool.Max != nil {
			v.Range = number(*pool.Min) + " – " + number(*pool.Max)
		}
	case topology.ModeExternal:
		v.Mode, v.ModeIcon = p.t("views.mode.external"), "auto"
	}
}

// truth says how many machines there are; deleting ones count in neither number.
func truth(p Page, pool topology.Pool, denied map[topology.Kind]bool) (first, rest string) {
	c := pool.Counts
	if c.Ready < 0 || c.Total < 0 {
		if denied[objectKind(pool.Kind)] {
			return p.t("views.denied.counts"), ""
		}
		return p.t("views.counts.unknown"), ""
	}
	var others []string
	if n := c.Total - c.Ready; n > 0 {
		others = append(others, p.t("views.truth.starting", message.Num("n", n)))
	}
	if c.Deleting > 0 {
		others = append(others, p.t("views.truth.deleting", message.Num("n", c.Deleting)))
	}
	if c.UpToDate >= 0 && c.UpToDate < c.Total {
		others = append(others, p.t("views.truth.outdated", message.Num("n", c.Total-c.UpToDate)))
	}
	rest = strings.Join(others, " · ")
	switch {
	case c.Desired == 0 && c.Total == 0:
		return p.t("views.truth.none"), rest
	case c.Desired < 0:
		return p.t("views.truth.ready", message.Num("n", c.Ready)), rest
	}
	return p.t("views.truth.of", message.Num("n", c.Ready), message.Num("of", c.Desired)), rest
}

func objectKind(k topology.PoolKind) topology.Kind {
	switch k {
	case topology.PoolControlPlane:
		return topology.KindControlPlane
	case topology.PoolMachinePool:
		return topology.KindMachinePool
	}
	return topology.KindMachineDeployment
}

// whyIcon goes with the reason below a slider that doesn't move.
func (v poolView) whyIcon() string {
	switch {
	case v.ModeIcon != "":
		return v.ModeIcon
	case v.ControlPlane:
		return "info"
	}
	return "lock"
}

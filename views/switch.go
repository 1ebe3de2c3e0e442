package views

import (
	"strconv"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// switchView is who decides a pool's number, and the two ways to change that:
// fix the number as it is, or let the autoscaler choose from a range.
type switchView struct {
	FormID, Action   string
	UID, Seen        string
	SeenMin, SeenMax string
	Title            string
	Open             bool
	Fix, FixText     string // the live number; empty when it can't be fixed
	Live             string // the live number as the person sees it
	Inherited        string // why it can't, where the class is why
	Min, Max         string
	Release, Hint    string // label of the range's button, and what to know
	Invalid          bool
	Mode             topology.Mode
}

// newSwitch is nil where nothing can be changed, or the person may not.
func newSwitch(p Page, in ClusterInput, pool topology.Pool, draft *Draft) *switchView {
	if !in.Cluster.May.Scale || !pool.Freeze && !pool.Release {
		return nil
	}
	v := &switchView{
		FormID: switchID(pool.Kind, pool.Name), Action: p.URLs.Scale(in.Cluster.Ref, pool.Kind, pool.Name),
		UID: in.Cluster.UID, Seen: optional(pool.Wish), Title: p.t("views.switch.title"), Open: !pool.Fault.IsZero(),
		Release: p.t("views.switch.release"), Hint: p.t("views.switch.hint"),
	}
	v.bounds(pool)
	if pool.Mode == topology.ModeAutoscaled {
		v.Title, v.Release = p.t("views.switch.title.auto"), p.t("views.switch.range")
	}
	if pool.Freeze {
		v.Fix = strconv.Itoa(pool.Counts.Desired)
		v.Live = v.Fix
		v.FixText = p.t("views.switch.fix", message.Str("n", v.Fix))
	} else if pool.Inherited {
		v.Inherited = p.t("locked.class-range")
	}
	if draft != nil && draft.Switch != "" {
		v.Open, v.Mode = true, draft.Switch
	}
	if draft != nil && draft.Switch == topology.ModeFixed && v.Fix != "" {
		v.Fix = draft.Typed // what the panel shows is what is sent
	}
	if draft != nil && draft.Switch == topology.ModeAutoscaled {
		v.Min, v.Max, v.Invalid = draft.Min, draft.Max, draft.Preview == nil
	}
	return v
}

func (v *switchView) bounds(pool topology.Pool) {
	if pool.Min != nil && pool.Max != nil && *pool.Min <= *pool.Max {
		v.SeenMin, v.SeenMax = strconv.Itoa(*pool.Min), strconv.Itoa(*pool.Max)
	}
	v.Min, v.Max = optional(pool.Min), optional(pool.Max)
	if v.Min == "" && pool.Counts.Desired >= 0 {
		v.Min = strconv.Itoa(min(pool.Counts.Desired, max(pool.Counts.Desired/2, 1)))
	}
	if v.Max == "" && pool.Counts.Desired >= 0 {
		v.Max = strconv.Itoa(max(pool.Counts.Desired*2, 1))
	}
}

func switchID(kind topology.PoolKind, name string) string {
	return "switch-" + string(kind) + "-" + name
}

// faultText names what is wrong with number and range, and what to do about it.
func faultText(p Page, pool topology.Pool) string {
	if pool.Fault.IsZero() {
		return ""
	}
	what := message.Key("views.fault.do")
	if pool.Inherited && !pool.Freeze {
		what = "views.fault.class"
	}
	return p.t("views.fault", message.Sub("why", pool.Fault), message.Sub("do", message.New(what)))
}

// holder names the tool that set the number last, if it isn't the portal, CAPI
// itself or a person's own hand.
func holder(p Page, pool topology.Pool) (string, when) {
	s := pool.Setter
	switch {
	case s.Tool == topology.ToolAutoscaler && pool.Mode == topology.ModeAutoscaled && pool.Counts.Desired >= 0:
		return p.t("views.holder.autoscaler", message.Num("n", pool.Counts.Desired)), clock(s.At)
	case pool.Mode == topology.ModeFixed && s.Tool.Holds():
		return p.t("views.holder", message.Str("manager", p.tool(s))), clock(s.At)
	default:
		return "", when{}
	}
}

// tool names a field manager: by the tool's own name where it is known, else as
// the API server has it.
func (p Page) tool(s topology.Setter) string {
	names := map[topology.Tool]string{
		topology.ToolArgo: "Argo CD", topology.ToolFlux: "Flux", topology.ToolHelm: "Helm",
		topology.ToolAutoscaler: "Cluster Autoscaler", topology.ToolApply: "kubectl apply",
	}
	name, known := names[s.Tool]
	if !known || name == s.Manager {
		return s.Manager
	}
	return name + " (" + s.Manager + ")"
}

// switchAction is typed for the template.
func (v switchView) action() templ.SafeURL { return templ.SafeURL(v.Action) }

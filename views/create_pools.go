package views

import (
	"strconv"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// poolFormView is one pool of the form.
type poolFormView struct {
	Page
	Title, ID      string
	Mode           []entryView
	ModeName       string
	Name, Class    inputView
	Sizes          []inputView
	Inherit        string
	Placing        []inputView // failure domain, labels, annotations
	PlacingOpen    bool
	Hidden         []hiddenView
	Slider         *sliderView
	ShowAll        string // button that lists the overrides that change nothing; empty for none
	OverridesID    string
	OverridesFocus bool
	Remove         string
	RemoveLabel    string
	Overrides      []nodeView
	OverridesOpen  bool
	Crowded        bool // only what is set is listed
}

func poolTitle(p Page, pool topology.CreatePool) string {
	if pool.Name == "" {
		return p.t("create.pool.unnamed")
	}
	return pool.Name
}

func poolLabel(field string) message.Key {
	switch field {
	case "name":
		return "create.pool.name"
	case "class":
		return "create.pool.class"
	case "min":
		return "create.pool.min"
	case "max":
		return "create.pool.max"
	case "fd":
		return "create.pool.fd"
	case "labels":
		return "create.labels"
	case "annotations":
		return "create.annotations"
	}
	return "create.pool.replicas"
}

func newPoolForm(n nodes, pool topology.CreatePool) poolFormView {
	title := poolTitle(n.p, pool)
	v := poolFormView{
		Page: n.p, Title: title, ID: strconv.Itoa(pool.ID), ModeName: pool.Input("mode"),
		Remove: topology.DoRemovePool + strconv.Itoa(pool.ID), RemoveLabel: n.p.t("create.pool.remove", message.Str("pool", title)),
		Name: n.input(pool.Input("name"), "create.pool.name", pool.Name), Class: n.input(pool.Input("class"), "create.pool.class", pool.Class),
		OverridesID: pool.Input("overrides"),
	}
	n.placing(&v, pool)
	var values []string
	for _, w := range n.in.Blueprint.Composition.Workers {
		values = append(values, topology.WorkerValue(w.Kind, w.Class))
	}
	v.Class.Options = choose(values, pool.Class)
	for i := range v.Class.Options {
		o := &v.Class.Options[i]
		if kind, class := (topology.CreatePool{Class: o.Value}).Worker(); kind == catalog.WorkerDeployment {
			o.Label = class
		}
	}
	n.poolSize(&v, pool)
	kind, class := pool.Worker()
	list := n.overrides(pool.Overrides, pool.ShowAll, func(variable string) catalog.Answer {
		return n.in.Blueprint.Effects.AffectsPool(variable, class, kind)
	})
	v.OverridesFocus = n.in.Focus == v.OverridesID
	v.Overrides, v.OverridesOpen = list.Fields, list.Open || v.OverridesFocus || pool.ShowAll
	v.Crowded = list.Crowded
	if list.Hidden > 0 {
		v.ShowAll = topology.DoShowAll + v.ID
	}
	return v
}

// placing are the inputs that few need, folded while they are empty, and what
// has no input at all.
func (n nodes) placing(v *poolFormView, pool topology.CreatePool) {
	domain := n.input(pool.Input("fd"), "create.pool.fd", pool.FailureDomain)
	labels := n.input(pool.Input("labels"), "create.labels", pool.Labels)
	annotations := n.input(pool.Input("annotations"), "create.annotations", pool.Annotations)
	labels.Area, annotations.Area, labels.Hint = true, true, n.p.t("create.pool.labels.hint")
	v.Placing = []inputView{domain, labels, annotations}
	for _, in := range v.Placing {
		v.PlacingOpen = v.PlacingOpen || in.Value != "" || len(in.Faults) > 0
	}
	for _, h := range []hiddenView{{pool.Input("kept"), pool.Kept.Text()}, {pool.Input("all"), mark(pool.ShowAll)}} {
		if h.Value != "" {
			v.Hidden = append(v.Hidden, h)
		}
	}
}

// poolSize offers the ways to set the number of machines, and the inputs of the
// one that is chosen.
func (n nodes) poolSize(v *poolFormView, pool topology.CreatePool) {
	low, high, inherits := pool.Inherited(n.in.Blueprint)
	mode := pool.Mode
	if inherits && mode != topology.PlanRange {
		mode = topology.PlanInherit
	}
	if !inherits && mode != topology.PlanRange {
		mode = topology.PlanFixed
	}
	option := func(m topology.PoolPlan, key message.Key) {
		v.Mode = append(v.Mode, entryView{string(m), n.p.t(key), m == mode})
	}
	if inherits {
		option(topology.PlanInherit, "create.mode.class")
		v.Inherit = n.p.t("create.mode.inherited", message.Num("min", low), message.Num("max", high))
	} else {
		option(topology.PlanFixed, "create.mode.fixed")
	}
	option(topology.PlanRange, "create.mode.range")
	number := func(field string, value string) inputView {
		in := n.input(pool.Input(field), poolLabel(field), value)
		in.Numeric, in.Short = true, true
		return in
	}
	switch mode {
	case topology.PlanFixed:
		v.Sizes = append(v.Sizes, number("replicas", pool.Replicas))
		v.Slider = n.slider(pool)
	case topology.PlanRange:
		v.Sizes = append(v.Sizes, number("min", pool.Min), number("max", pool.Max))
	}
	if mode != topology.PlanInherit {
		v.Inherit = ""
	}
}

// sliderView moves the number beside it; only the number is sent.
type sliderView struct {
	For, Value, Label string
	Aria, AriaText    string // the value in words; with {n} for the script
	Gauge             gaugeView
}

func (n nodes) slider(pool topology.CreatePool) *sliderView {
	v := &sliderView{For: pool.Input("replicas"), Value: pool.Replicas, Label: n.p.t("views.form.label", message.Str("pool", poolTitle(n.p, pool)))}
	v.Aria, v.AriaText = n.p.t("create.machines", message.Str("n", pool.Replicas)), n.p.t("create.machines", message.Str("n", "{n}"))
	if wish, err := strconv.Atoi(pool.Replicas); err == nil {
		v.Aria = machinesText(n.p, wish, wish)
	}
	of := topology.Pool{Mode: topology.ModeFixed, Limit: topology.SliderEnd(0, 0, n.limit())}
	if wish, err := strconv.Atoi(pool.Replicas); err == nil && wish >= 0 && wish <= n.limit() {
		of.Wish, of.Limit = &wish, topology.SliderEnd(wish, 0, n.limit())
	}
	v.Gauge = newGauge(of, nil)
	return v
}

func (n nodes) limit() int {
	if n.in.Max > 0 {
		return n.in.Max
	}
	return topology.DefaultMax
}

// showAll is the button that lists the control plane's other overrides.
func showAll(v overrideList) string {
	if v.Hidden == 0 {
		return ""
	}
	return topology.DoShowAll + topology.ControlPlanePart
}

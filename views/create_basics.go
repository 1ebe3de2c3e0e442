package views

import (
	"slices"
	"strconv"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// inputView is one setting of the cluster itself.
type inputView struct {
	Name, Label, Hint, Value string
	Options                  []entryView // a choice; nil for text
	List                     []string    // suggestions
	Area                     bool
	Numeric                  bool
	Faults                   []string
	Focus                    bool
	Short                    bool
}

type entryView struct {
	Value, Label string
	Chosen       bool
}

// poolFormView is one pool of the form.
type poolFormView struct {
	Page
	Title, ID     string
	Mode          []entryView
	ModeName      string
	Name, Class   inputView
	Sizes         []inputView
	Inherit       string
	Domain        inputView
	Remove        string
	RemoveLabel   string
	Overrides     []nodeView
	OverridesOpen bool
}

type basicName struct {
	input string
	key   message.Key
}

func basicNames() []basicName {
	return []basicName{
		{topology.InputName, "create.name"}, {topology.InputNamespace, "create.namespace"}, {topology.InputVersion, "create.version"},
		{topology.InputCP, "create.cp"}, {topology.InputPods, "create.pods"}, {topology.InputServices, "create.services"},
		{topology.InputLabels, "create.labels"}, {topology.InputAnnotations, "create.annotations"},
	}
}

func (n nodes) input(name string, label message.Key, value string) inputView {
	return inputView{Name: name, Label: n.p.t(label), Value: value, Faults: n.say(name), Focus: n.in.Focus == name}
}

func basics(n nodes) []inputView {
	f := n.in.Form
	name := n.input(topology.InputName, "create.name", f.Name)
	name.Hint = n.p.t("create.name.hint")
	name.Focus = name.Focus || n.in.Focus == "" && !n.in.Summary && f.Name == ""
	namespace := n.input(topology.InputNamespace, "create.namespace", f.Namespace)
	namespace.Options = choose(n.in.Namespaces, f.Namespace)
	return []inputView{name, namespace, n.version(), n.controlPlane()}
}

func (n nodes) version() inputView {
	f := n.in.Form
	v := n.input(topology.InputVersion, "create.version", f.Version)
	v.Short = true
	if listed := slices.Clone(n.in.Blueprint.Versions); len(listed) > 0 {
		slices.Reverse(listed)
		v.Options = choose(listed, f.Version)
		v.Hint = n.p.t("create.version.listed")
		return v
	}
	v.List, v.Hint = n.in.Versions, n.p.t("create.version.hint")
	return v
}

func (n nodes) controlPlane() inputView {
	v := n.input(topology.InputCP, "create.cp", n.in.Form.ControlPlane)
	v.Short, v.Numeric, v.Hint = true, true, n.p.t("create.cp.hint")
	return v
}

func extras(n nodes) []inputView {
	f := n.in.Form
	pods, services := n.input(topology.InputPods, "create.pods", f.Pods), n.input(topology.InputServices, "create.services", f.Services)
	pods.Hint = n.p.t("create.cidr.hint")
	labels, annotations := n.input(topology.InputLabels, "create.labels", f.Labels), n.input(topology.InputAnnotations, "create.annotations", f.Annotations)
	labels.Area, annotations.Area, labels.Hint = true, true, n.p.t("create.labels.hint")
	return []inputView{pods, services, labels, annotations}
}

// choose makes options; a value that is none of them stays as one more, for the
// check to find.
func choose(values []string, chosen string) []entryView {
	var out []entryView
	if !slices.Contains(values, chosen) {
		out = append(out, entryView{chosen, chosen, true})
	}
	for _, v := range values {
		out = append(out, entryView{v, v, v == chosen})
	}
	return out
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
	}
	return "create.pool.replicas"
}

func newPoolForm(n nodes, pool topology.CreatePool) poolFormView {
	title := poolTitle(n.p, pool)
	v := poolFormView{
		Page: n.p, Title: title, ID: strconv.Itoa(pool.ID), ModeName: pool.Input("mode"),
		Remove: topology.DoRemovePool + strconv.Itoa(pool.ID), RemoveLabel: n.p.t("create.pool.remove", message.Str("pool", title)),
		Name: n.input(pool.Input("name"), "create.pool.name", pool.Name), Class: n.input(pool.Input("class"), "create.pool.class", pool.Class),
		Domain: n.input(pool.Input("fd"), "create.pool.fd", pool.FailureDomain),
	}
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
	v.Overrides, v.OverridesOpen = n.overrides(pool.Overrides, func(variable string) catalog.Answer {
		return n.in.Blueprint.Effects.AffectsPool(variable, class, kind)
	})
	return v
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
	case topology.PlanRange:
		v.Sizes = append(v.Sizes, number("min", pool.Min), number("max", pool.Max))
	}
	if mode != topology.PlanInherit {
		v.Inherit = ""
	}
}

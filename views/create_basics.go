package views

import (
	"slices"

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

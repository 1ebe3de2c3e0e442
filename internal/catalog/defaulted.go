package catalog

import (
	"encoding/json"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Defaulted is one variable as the Cluster will hold it.
type Defaulted struct {
	Name  string
	Value json.RawMessage
	Added bool   // the whole variable comes from its default
	Lines []Line // the value as YAML; Line.Added marks what defaulting adds
}

// Defaulted fills in defaults as the webhook does, for a preview: of a whole
// cluster a variable with a default of its own appears, of overrides only the
// inside is filled. Variables whose texts can't be understood are left out (the
// check says why); of the class's order, set ones first.
func (c *Checker) Defaulted(s State, whole bool) []Defaulted {
	var out []Defaulted
	nodes := append(s.sent(), unsent(s, whole)...)
	for _, n := range nodes {
		before, set, faults := n.value()
		p, err := c.program(n.Field.Name)
		if err != nil || len(faults) > 0 {
			continue
		}
		after := p.defaulted(before)
		out = append(out, Defaulted{
			Name: n.Field.Name, Value: marshal(after), Added: !set,
			Lines: writeYAML(after, cursor{compare: true, before: before, was: set, node: n}),
		})
	}
	return out
}

// unsent lists the variables that only defaulting will add.
func unsent(s State, whole bool) []*Node {
	var out []*Node
	for _, n := range s.ordered() {
		if whole && !n.Set && n.Field.Default != nil {
			out = append(out, n)
		}
	}
	return out
}

// Lines are variables as the YAML of their list, as it stands below
// "variables:" in a Cluster.
func Lines(variables []Defaulted) []Line {
	var out []Line
	for _, v := range variables {
		head := Line{Text: "- name: " + yamlString(v.Name), Added: v.Added}
		lines := append([]Line(nil), v.Lines...)
		if value, err := decode(v.Value); err == nil && inline(value) {
			lines[0].Text = "value: " + lines[0].Text
			indent(lines[1:])
		} else {
			indent(lines)
			lines = append([]Line{{Text: "value:", Added: v.Added}}, lines...)
		}
		indent(lines)
		out = append(append(out, head), lines...)
	}
	return out
}

// VariablesOf is what Defaulted gives, as a Cluster holds it.
func VariablesOf(variables []Defaulted) []clusterv1.ClusterVariable {
	out := make([]clusterv1.ClusterVariable, len(variables))
	for i, v := range variables {
		out[i].Name = v.Name
		out[i].Value.Raw = v.Value
	}
	return out
}

// Sent are the set variables as they are, without defaults. Texts that can't be
// understood stand as null.
func (s State) Sent() []Defaulted {
	var out []Defaulted
	for _, n := range s.sent() {
		if value, ok, _ := n.value(); ok {
			out = append(out, Defaulted{Name: n.Field.Name, Value: marshal(value), Lines: writeYAML(value, cursor{node: n})})
		}
	}
	return out
}

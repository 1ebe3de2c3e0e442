package catalog

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/fail"
)

// State is the variables' part of a form as it stands, for one scope: the whole
// cluster, the control plane's overrides, or those of one pool. It lives in the
// form's own inputs (Values) and is read back by Parse; nothing is kept
// elsewhere. Functions that change it return a new one.
type State struct {
	Schema *Schema
	Prefix string  // first segment of all names, lower case letters and digits
	Nodes  []*Node // one for each variable, in the class's order
	// Aside are values that have no place in this class. They are not sent.
	Aside []Aside
	// Order names the variables in the order of the Cluster they came from, so
	// that an edit doesn't shuffle them; empty for a new Cluster.
	Order []string
}

// NewState is an empty form.
func NewState(schema *Schema, prefix string) State {
	s := State{Schema: schema, Prefix: prefix}
	for _, v := range schema.Variables {
		s.Nodes = append(s.Nodes, newNode(v.Field, join(prefix, Escape(v.Name))))
	}
	return s
}

// FromVariables is the form of an existing Cluster, to edit or to clone.
// Variables that the class doesn't define are put aside.
func FromVariables(schema *Schema, prefix string, vars []clusterv1.ClusterVariable) State {
	s := NewState(schema, prefix)
	for i := range vars {
		s.Order = append(s.Order, vars[i].Name)
		s.take(vars[i].Name, vars[i].Value.Raw)
	}
	return s
}

// take fills one variable. A missing value is what "null" in YAML becomes.
func (s *State) take(name string, raw []byte) {
	if len(raw) == 0 {
		raw = []byte("null")
	}
	n := s.Variable(name)
	value, err := decode(raw)
	switch {
	case n == nil:
		s.Aside = append(s.Aside, Aside{Variable: name, Path: name, Value: raw, Why: AsideUndefined})
	case err != nil:
		n.Set, n.Raw, n.Text = true, true, strings.ToValidUTF8(string(raw), "\uFFFD")
	default:
		n.fill(value)
	}
}

// Variables are the set variables as a Cluster holds them, and the faults of
// texts that can't be understood. With faults the variables are for preview
// only: null stands where the text was.
func (s State) Variables() ([]clusterv1.ClusterVariable, []fail.Fault) {
	var out []clusterv1.ClusterVariable
	var faults []fail.Fault
	for _, n := range s.ordered() {
		value, ok, bad := n.value()
		faults = append(faults, bad...)
		if ok {
			out = append(out, clusterv1.ClusterVariable{
				Name: n.Field.Name, Value: apiextensionsv1.JSON{Raw: marshal(value)},
			})
		}
	}
	return out, faults
}

// Shown lists the nodes as the class wants them shown: by the order that it
// gives them, else as it defines them.
func (s State) Shown() []*Node {
	nodes := slices.Clone(s.Nodes)
	slices.SortStableFunc(nodes, func(a, b *Node) int { return a.Field.Hints.Compare(b.Field.Hints) })
	return nodes
}

// ordered lists the nodes in Order first, then as the class has them.
func (s State) ordered() []*Node {
	if len(s.Order) == 0 {
		return s.Nodes
	}
	nodes := slices.Clone(s.Nodes)
	place := make(map[string]int, len(s.Order))
	for i, name := range s.Order {
		place[name] = i - len(s.Order)
	}
	slices.SortStableFunc(nodes, func(a, b *Node) int { return place[a.Field.Name] - place[b.Field.Name] })
	return nodes
}

// Variable is the node of one variable; nil when the class doesn't define it.
func (s State) Variable(name string) *Node {
	return find(s.Nodes, func(n *Node) bool { return n.Field.Name == name })
}

// Node finds a node by the name of its input or of one of its markers; nil when
// there is none.
func (s State) Node(name string) *Node {
	name = baseName(name)
	for _, top := range s.Nodes {
		if name != top.Name && !strings.HasPrefix(name, top.Name+".") {
			continue
		}
		var found *Node
		top.Walk(func(n *Node) {
			if n.Name == name {
				found = n
			}
		})
		return found
	}
	return nil
}

// baseName takes a marker off a name.
func baseName(name string) string {
	for _, m := range []string{markSet, markYAML, markLines, markRest, markKey} {
		if base, ok := strings.CutSuffix(name, "."+m); ok {
			return base
		}
	}
	return name
}

// Clone is a copy that shares nothing but the schema.
func (s State) Clone() State {
	s.Nodes = cloneAll(s.Nodes)
	s.Aside = slices.Clone(s.Aside)
	s.Order = slices.Clone(s.Order)
	return s
}

// marshal writes a tree with its numbers as they are.
func marshal(value tree) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return json.RawMessage("null") // a tree always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

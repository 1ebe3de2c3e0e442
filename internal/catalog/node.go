package catalog

import (
	"slices"
	"strconv"
	"strings"
)

// Node is one field of a form as it stands: what was typed, word for word, and
// whether it is set. What is not set is not sent.
type Node struct {
	Field *Field
	Name  string // of its input; markers are made with the methods below
	Set   bool
	// Text is what was typed: for a choice the canonical JSON of the option, for
	// a boolean true or false, for YAML the YAML. Text that can't be understood
	// stays; the faults of State.Variables say what is wrong with it.
	Text string
	// Raw: this one field is edited as YAML in Text, because its value fits no
	// control or the person wished so.
	Raw bool
	// Lines: this one text is typed into a box that takes line breaks, because
	// the person wished so.
	Lines  bool
	Fields []*Node // of an object, one for each Field.Fields
	Rows   []*Node // of arrays and maps; rows are always set
	Rest   string  // fields of an object that the schema doesn't name, as YAML
	// Key is the key of a row of a map, IsRow is true for rows of maps and arrays.
	Key   string
	IsRow bool
}

// newNode makes an unset node.
func newNode(f *Field, name string) *Node {
	n := &Node{Field: f, Name: name}
	if f.Kind == KindObject {
		for _, child := range f.Fields {
			n.Fields = append(n.Fields, newNode(child, join(name, Escape(child.Name))))
		}
	}
	return n
}

// SetName is the name of the marker that says: set, even if empty.
func (n *Node) SetName() string { return join(n.Name, markSet) }

// YAMLName is the name of the text while the node is Raw.
func (n *Node) YAMLName() string { return join(n.Name, markYAML) }

// LinesName is the name of the marker that says: a box of several lines.
func (n *Node) LinesName() string { return join(n.Name, markLines) }

// RestName is the name of the YAML for fields that the schema doesn't name.
func (n *Node) RestName() string { return join(n.Name, markRest) }

// KeyName is the name of the key's input of a row of a map.
func (n *Node) KeyName() string { return join(n.Name, markKey) }

// InputName is the name of the control that holds Text.
func (n *Node) InputName() string {
	if n.Raw {
		return n.YAMLName()
	}
	return n.Name
}

// HasRest tells whether the box for further fields is needed.
func (n *Node) HasRest() bool {
	return n.Field.Kind == KindObject && !n.Raw && (n.Field.Preserve || n.Rest != "")
}

// Multiline tells whether a one-line input would lose line breaks. A textarea
// drops one line break at its beginning: write one more there.
func (n *Node) Multiline() bool {
	return n.Raw || n.Lines || n.Field.Kind == KindYAML || strings.Contains(n.Text, "\n")
}

// Defaulted tells that the value is not set and the class will fill it in,
// provided that its parent is set.
func (n *Node) Defaulted() bool { return !n.Set && n.Field.Default != nil }

// clear unsets the node and all below.
func (n *Node) clear() {
	n.Set, n.Text, n.Raw, n.Lines, n.Rows, n.Rest = false, "", false, false, nil, ""
	for _, child := range n.Fields {
		child.clear()
	}
}

// rename gives the node and all below the names of their place.
func (n *Node) rename(name string) {
	n.Name = name
	for _, child := range n.Fields {
		child.rename(join(name, Escape(child.Field.Name)))
	}
	for i, row := range n.Rows {
		row.rename(n.rowName(i))
	}
}

// isMapRow tells rows with a key from entries of a list, by their name.
func (n *Node) isMapRow() bool {
	_, ok := rowIndex(n.Name[lastDot(n.Name)+1:], markRow)
	return ok
}

func lastDot(name string) int { return strings.LastIndexByte(name, '.') }

func (n *Node) rowName(i int) string {
	if n.Field.Kind == KindMap {
		return rowName(n.Name, i)
	}
	return itemName(n.Name, i)
}

// addRow appends an empty row.
func (n *Node) addRow() *Node {
	row := newNode(n.Field.Item, n.rowName(len(n.Rows)))
	row.Set, row.IsRow = true, true
	n.Rows = append(n.Rows, row)
	return row
}

// under finds what a property, key or index of the value is edited with; nil
// when nothing is, as below a node in YAML.
func (n *Node) under(step string) *Node {
	if n.Raw {
		return nil
	}
	switch n.Field.Kind {
	case KindObject:
		return find(n.Fields, func(c *Node) bool { return c.Field.Name == step })
	case KindMap:
		return find(n.Rows, func(c *Node) bool { return c.Key == step })
	case KindArray:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Rows) {
			return n.Rows[i]
		}
	}
	return nil
}

func find(nodes []*Node, is func(*Node) bool) *Node {
	if i := slices.IndexFunc(nodes, is); i >= 0 {
		return nodes[i]
	}
	return nil
}

// Walk calls visit for n and every node below, in the form's order.
func (n *Node) Walk(visit func(*Node)) {
	visit(n)
	for _, child := range n.Fields {
		child.Walk(visit)
	}
	for _, row := range n.Rows {
		row.Walk(visit)
	}
}

func (n *Node) clone() *Node {
	c := *n
	c.Fields, c.Rows = cloneAll(n.Fields), cloneAll(n.Rows)
	return &c
}

func cloneAll(nodes []*Node) []*Node {
	if nodes == nil {
		return nil
	}
	out := make([]*Node, len(nodes))
	for i := range nodes {
		out[i] = nodes[i].clone()
	}
	return out
}

// Keyed tells rows of maps, which have a key of their own, from entries of lists.
func (n *Node) Keyed() bool { return n.isMapRow() }

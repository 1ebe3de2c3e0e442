package catalog

import (
	"strconv"
)

// Rebase carries the form over to another class. Values that fit are kept, and
// so are texts that could not be understood, where the field still is; the rest
// is put aside. A value fits by its type or choice: bounds are for the check.
func (s State) Rebase(schema *Schema) State {
	next := NewState(schema, s.Prefix)
	next.Order = s.Order
	for _, a := range s.Aside {
		next.again(a)
	}
	for _, old := range s.Nodes {
		n := next.Variable(old.Field.Name)
		switch {
		case !old.Set:
		case n == nil:
			next.putAside(old, old.Field.Name, old.Field.Name, AsideUndefined)
		default:
			next.move(old, n, old.Field.Name, old.Field.Name)
		}
	}
	return next
}

// again tries a value that was aside: going back to a class brings it back.
func (s *State) again(a Aside) {
	n := s.home(a)
	if a.Why != AsideUndefined || n == nil || n.Set || !n.again(a) {
		s.Aside = append(s.Aside, a)
		return
	}
	s.open(n)
}

func (n *Node) again(a Aside) bool {
	if len(a.Value) > 0 {
		value, err := decode(a.Value)
		if err == nil {
			n.fill(value)
		}
		return err == nil
	}
	typed := n.Field.Scalar() && n.Field.Kind != KindEnum
	if typed {
		n.Set, n.Text = true, a.Text
	}
	return typed
}

func (s *State) putAside(old *Node, variable, path string, why AsideWhy) {
	value, _, faults := old.value()
	if len(faults) == 0 {
		s.Aside = append(s.Aside, Aside{Variable: variable, Path: path, Value: marshal(value), Why: why})
		return
	}
	if old.Field.Scalar() || old.Raw {
		s.Aside = append(s.Aside, Aside{Variable: variable, Path: path, Text: old.Text, Why: why})
		return
	}
	// A container with a text in it that can't be read: each part for itself.
	for _, child := range append(append([]*Node{}, old.Fields...), old.Rows...) {
		if child.Set {
			s.putAside(child, variable, path+"."+child.step(), why)
		}
	}
	if old.Rest != "" {
		s.Aside = append(s.Aside, Aside{Variable: variable, Path: path, Text: old.Rest, Why: why})
	}
}

// move carries one set node to its new place n.
func (s *State) move(old, n *Node, variable, path string) {
	switch {
	case old.Raw:
		s.moveRaw(old, n)
	case old.Field.Kind != n.Field.Kind:
		s.moveValue(old, n, variable, path)
	case n.Field.Kind == KindObject:
		s.moveObject(old, n, variable, path)
	case n.Field.Kind == KindArray || n.Field.Kind == KindMap:
		s.moveRows(old, n, variable, path)
	case n.Field.Kind == KindEnum:
		s.moveValue(old, n, variable, path)
	default:
		n.Set, n.Text = true, old.Text
	}
}

// moveRaw keeps YAML that can't be read as it is, and tries the controls of the
// new place for what can.
func (s *State) moveRaw(old, n *Node) {
	if value, faults := readYAML(old.YAMLName(), old.Text); len(faults) == 0 {
		n.fill(value)
		return
	}
	n.Set, n.Raw, n.Text = true, true, old.Text
}

// moveValue moves a value between fields of different kinds, if it fits.
func (s *State) moveValue(old, n *Node, variable, path string) {
	value, _, faults := old.value()
	if len(faults) == 0 {
		n.fill(value)
		if !n.Raw {
			return
		}
		n.clear()
	} else if n.Field.Scalar() && n.Field.Kind != KindEnum {
		n.Set, n.Text = true, old.Text
		return
	}
	n.Set = n.IsRow
	s.putAside(old, variable, path, AsideNoFit)
}

func (s *State) moveObject(old, n *Node, variable, path string) {
	n.Set = true
	n.moveRest(old.Rest)
	for _, child := range old.Fields {
		if !child.Set {
			continue
		}
		here := path + "." + child.Field.Name
		if to := n.under(child.Field.Name); to != nil {
			s.move(child, to, variable, here)
			continue
		}
		s.putAside(child, variable, here, AsideNoField)
	}
}

// moveRest spreads the fields that the old schema didn't name over those that
// the new one does.
func (n *Node) moveRest(rest string) {
	n.Rest = rest
	value, faults := readYAML("", rest)
	m, ok := value.(map[string]any)
	if len(faults) > 0 || !ok {
		return
	}
	for _, key := range sortedKeys(m) {
		if child := n.under(key); child != nil {
			child.fill(m[key])
			delete(m, key)
		}
	}
	n.Rest = ""
	if len(m) > 0 {
		n.Rest = yamlText(m)
	}
}

func (s *State) moveRows(old, n *Node, variable, path string) {
	n.Set = true
	for _, row := range old.Rows {
		to := n.addRow()
		to.Key = row.Key
		s.move(row, to, variable, path+"["+row.step()+"]")
	}
}

// step is the node's own part of a path.
func (n *Node) step() string {
	if !n.IsRow {
		return n.Field.Name
	}
	if n.isMapRow() {
		return n.Key
	}
	last := n.Name[lastDot(n.Name)+1:]
	if i, ok := rowIndex(last, markItem); ok {
		return strconv.Itoa(i)
	}
	return last
}

// Override prefills one variable of an overriding scope with what the whole
// cluster has: an override replaces the variable, nothing is merged.
func (s State) Override(variable string, cluster State) State {
	next := s.Clone()
	n, from := next.Variable(variable), cluster.Variable(variable)
	if n == nil || from == nil {
		return next
	}
	if from.Set {
		next.move(from, n, variable, variable)
		return next
	}
	n.set()
	return next
}

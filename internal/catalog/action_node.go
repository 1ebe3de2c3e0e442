package catalog

import (
	"slices"

	"github.com/capstan-portal/capstan/internal/fail"
)

// set sets the node, from its default where it has one, and tells the focus.
func (n *Node) set() string {
	if !n.Set && n.Field.Default != nil {
		if value, err := decode(n.Field.Default); err == nil {
			n.fill(value)
		}
	}
	n.Set = true
	return n.first()
}

// unset clears the node. Rows can't be unset, only removed.
func (n *Node) unset() (string, error) {
	if n.IsRow {
		return "", ErrAction
	}
	n.clear()
	return n.Name, nil
}

func (n *Node) add() (string, error) {
	if n.Raw || n.Field.Kind != KindArray && n.Field.Kind != KindMap {
		return "", ErrAction
	}
	n.Set = true
	return n.addRow().first(), nil
}

// moveRow removes or moves a row.
func (s State) moveRow(row *Node, verb Verb) (string, error) {
	parent := s.parent(row)
	if parent == nil || !row.IsRow {
		return "", ErrAction
	}
	i := slices.Index(parent.Rows, row)
	to := i
	switch verb {
	case VerbRemove:
		parent.Rows = slices.Delete(parent.Rows, i, i+1)
		parent.rename(parent.Name)
		if len(parent.Rows) == 0 {
			return parent.Name, nil
		}
		return parent.Rows[min(i, len(parent.Rows)-1)].first(), nil
	case VerbUp:
		to--
	default:
		to++
	}
	if to < 0 || to >= len(parent.Rows) {
		return row.first(), nil // already at the end: nothing to do
	}
	parent.Rows[i], parent.Rows[to] = parent.Rows[to], parent.Rows[i]
	parent.rename(parent.Name)
	return row.first(), nil
}

// toYAML turns the node's controls into YAML.
func (n *Node) toYAML() (string, *fail.Fault) {
	if n.Raw {
		return n.YAMLName(), nil
	}
	value, ok, faults := n.value()
	if len(faults) > 0 {
		return faults[0].Field, &faults[0]
	}
	n.clear()
	n.Set, n.Raw = true, true
	if ok {
		n.Text = yamlText(value)
	}
	return n.YAMLName(), nil
}

// toFields turns YAML into controls, where they can hold it.
func (n *Node) toFields() (string, *fail.Fault) {
	if !n.Raw {
		return n.first(), nil
	}
	value, faults := readYAML(n.YAMLName(), n.Text)
	if len(faults) > 0 {
		return n.YAMLName(), &faults[0]
	}
	text := n.Text
	n.fill(value)
	if n.Raw {
		n.Text = text
		f := faultNoControl.at(n.YAMLName())
		return n.YAMLName(), &f
	}
	return n.first(), nil
}

// first is the first input of the node; its own name where it has none yet.
func (n *Node) first() string {
	switch {
	case n.IsRow && n.isMapRow():
		return n.KeyName()
	case n.Field.Scalar() || n.Raw:
		return n.InputName()
	case len(n.Fields) > 0:
		return n.Fields[0].first()
	case len(n.Rows) > 0:
		return n.Rows[0].first()
	default:
		return n.Name
	}
}

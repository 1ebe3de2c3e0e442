package catalog

import (
	"errors"
	"strings"

	"github.com/capstan-portal/capstan/internal/fail"
)

// Verb is what a button of the form does to the node it names.
type Verb string

// The verbs.
const (
	VerbSet    Verb = "set"    // set a field, from its default where it has one
	VerbUnset  Verb = "unset"  // forget it: it is not sent, its default holds
	VerbAdd    Verb = "add"    // append a row
	VerbRemove Verb = "remove" // remove this row
	VerbUp     Verb = "up"     // move this row
	VerbDown   Verb = "down"
	VerbYAML   Verb = "yaml"   // edit this field as YAML
	VerbFields Verb = "fields" // edit it with its controls again
	VerbLines  Verb = "lines"  // type this text into a box of several lines
	VerbDrop   Verb = "drop"   // forget a value that is aside, named by AsideAction
	VerbTake   Verb = "take"   // put it into its variable, as YAML
)

// Action is one press of a button: <button name="do" value="add v.net.peers">.
type Action struct {
	Verb Verb
	Name string // of the node; for rows the row's
}

// String is the button's value.
func (a Action) String() string { return string(a.Verb) + " " + a.Name }

// ErrAction says that a button's value names no action or nothing in the form.
var ErrAction = errors.New("no such action on this form")

// ParseAction reads a button's value.
func ParseAction(value string) (Action, error) {
	verb, name, ok := strings.Cut(value, " ")
	switch Verb(verb) {
	case VerbSet, VerbUnset, VerbAdd, VerbRemove, VerbUp, VerbDown, VerbYAML, VerbFields, VerbLines, VerbDrop, VerbTake:
		if ok && name != "" {
			return Action{Verb: Verb(verb), Name: name}, nil
		}
	}
	return Action{}, ErrAction
}

// AsideAction is the action on the i-th value that is aside.
func (s State) AsideAction(verb Verb, i int) Action {
	return Action{Verb: verb, Name: itemName(s.AsideName(), i)}
}

// Mine tells whether the action is about this scope.
func (s State) Mine(a Action) bool { return strings.HasPrefix(a.Name, s.Prefix+".") }

// Do carries out an action. focus is the name of the input that should get the
// focus. A fault (VerbAdd, VerbYAML and VerbFields only) leaves the state as it was.
func (s State) Do(a Action) (next State, focus string, fault *fail.Fault, err error) {
	next = s.Clone()
	if digits, ok := strings.CutPrefix(a.Name, s.AsideName()+"."); ok {
		focus, err = next.doAside(a.Verb, digits)
		return next, focus, nil, err
	}
	n := next.Node(a.Name)
	if n == nil {
		return s, "", nil, ErrAction
	}
	switch a.Verb {
	case VerbSet:
		next.open(n)
		focus = n.set()
	case VerbUnset:
		focus, err = n.unset()
	case VerbAdd:
		next.open(n)
		if focus, err = n.add(); err == nil && next.top(n).crowded() {
			f := faultManyRows.at(n.InputName())
			fault, focus = &f, n.Name
		}
	case VerbRemove, VerbUp, VerbDown:
		focus, err = next.moveRow(n, a.Verb)
	case VerbYAML:
		next.open(n)
		focus, fault = n.toYAML()
	case VerbLines:
		if n.Lines = n.Field.Kind == KindString && !n.Raw; !n.Lines {
			err = ErrAction
		}
		focus = n.InputName()
	case VerbFields:
		focus, fault = n.toFields()
	default:
		err = ErrAction
	}
	if err != nil || fault != nil {
		return s, focus, fault, err
	}
	return next, focus, nil, nil
}

// open sets the objects above a node: it could not be sent otherwise.
func (s State) open(n *Node) {
	for parent := s.parent(n); parent != nil; parent = s.parent(parent) {
		parent.Set = true
	}
}

// top is the variable that a node belongs to.
func (s State) top(n *Node) *Node {
	for parent := s.parent(n); parent != nil; parent = s.parent(n) {
		n = parent
	}
	return n
}

// parent is nil for variables.
func (s State) parent(n *Node) *Node {
	i := strings.LastIndexByte(n.Name, '.')
	if i <= len(s.Prefix) {
		return nil
	}
	return s.Node(n.Name[:i])
}

func (s *State) doAside(verb Verb, segment string) (string, error) {
	i, ok := rowIndex(segment, markItem)
	if !ok || i >= len(s.Aside) {
		return "", ErrAction
	}
	a := s.Aside[i]
	focus := s.AsideName()
	switch verb {
	case VerbDrop:
	case VerbTake:
		n := s.home(a)
		if n == nil {
			return "", ErrAction
		}
		s.open(n)
		n.clear()
		n.Set, n.Raw, n.Text = true, true, a.YAML()
		focus = n.YAMLName()
	default:
		return "", ErrAction
	}
	s.Aside = append(s.Aside[:i:i], s.Aside[i+1:]...)
	return focus, nil
}

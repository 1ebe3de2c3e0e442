package catalog

import (
	"encoding/json"
	"strings"
)

// Aside is a value that has no place in the form: it is shown, offered, and
// not sent. It travels with the form until somebody drops or takes it.
type Aside struct {
	Variable string          `json:"variable"`
	Path     string          `json:"path"` // for people, for example "net.peers[0].mtu"
	Value    json.RawMessage `json:"value,omitempty"`
	Text     string          `json:"text,omitempty"` // as typed, where it was no value
	Why      AsideWhy        `json:"why"`
}

// AsideWhy says why a value is aside.
type AsideWhy string

// The reasons.
const (
	AsideUndefined AsideWhy = "undefined" // the class has no such variable
	AsideNoField   AsideWhy = "no-field"  // the variable has no such field
	AsideNoFit     AsideWhy = "no-fit"    // another type, or none of the choices
	AsideChanged   AsideWhy = "changed"   // the class changed between page and submit
)

// home is the node that the value is of, a variable or a part of one; nil where
// the form has none.
func (s State) home(a Aside) *Node {
	n := s.Variable(a.Variable)
	inside, ok := strings.CutPrefix(a.Path, a.Variable)
	if n == nil || !ok {
		return nil
	}
	if at := locate(n, strings.TrimPrefix(inside, ".")); at.rest == "" {
		return at.node
	}
	return nil
}

// Takes tells whether the form has a place for the value.
func (s State) Takes(a Aside) bool { return s.home(a) != nil }

// YAML is the value for people; the text as typed where it is none.
func (a Aside) YAML() string {
	if len(a.Value) == 0 {
		return a.Text
	}
	return YAMLOf(a.Value)
}

// YAMLOf writes a JSON value as YAML for people; as it stands where it is none.
func YAMLOf(raw json.RawMessage) string {
	value, err := decode(raw)
	if err != nil {
		return string(raw)
	}
	return yamlText(value)
}

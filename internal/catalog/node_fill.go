package catalog

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fill sets the node to a value. Nothing is lost: a value that the control
// can't hold, or that would need too many inputs, makes the node Raw.
func (n *Node) fill(value tree) {
	n.clear()
	n.Set = true
	if !n.fillControl(value) || n.crowded() {
		n.clear()
		n.Set, n.Raw, n.Text = true, true, yamlText(value)
	}
}

// fillControl reports whether the node's own control can hold the value.
func (n *Node) fillControl(value tree) bool {
	switch n.Field.Kind {
	case KindObject:
		return n.fillObject(value)
	case KindArray:
		return n.fillArray(value)
	case KindMap:
		return n.fillMap(value)
	case KindYAML:
		n.Text = yamlText(value)
		return true
	default:
		text, ok := scalarText(n.Field, value)
		n.Text = text
		return ok
	}
}

// scalarText writes a value as it would be typed; false where typing can't
// give that value.
func scalarText(f *Field, value tree) (string, bool) {
	if f.Kind == KindEnum {
		return optionText(f, value)
	}
	switch v := value.(type) {
	case string:
		ok := f.Kind == KindString || f.Kind == KindIntOrString && !isInteger(strings.TrimSpace(v))
		return v, ok && typable(v)
	case bool:
		if v {
			return "true", f.Kind == KindBoolean
		}
		return "false", f.Kind == KindBoolean
	case json.Number:
		s := v.String()
		return s, f.Kind == KindNumber || isInteger(s) && (f.Kind == KindInteger || f.Kind == KindIntOrString)
	default:
		return "", false
	}
}

func optionText(f *Field, value tree) (string, bool) {
	raw := canonical(value)
	for _, o := range f.Options {
		if bytes.Equal(o.Value, raw) {
			return string(raw), true
		}
	}
	return "", false
}

func (n *Node) fillObject(value tree) bool {
	m, ok := value.(map[string]any)
	if !ok {
		return false
	}
	rest := make(map[string]any)
	for key, v := range m {
		if child := n.under(key); child != nil {
			child.fill(v)
			continue
		}
		rest[key] = v
	}
	if len(rest) > 0 {
		n.Rest = yamlText(rest)
	}
	return true
}

func (n *Node) fillArray(value tree) bool {
	list, ok := value.([]any)
	if !ok {
		return false
	}
	for _, v := range list {
		n.addRow().fill(v)
	}
	return true
}

func (n *Node) fillMap(value tree) bool {
	m, ok := value.(map[string]any)
	if !ok {
		return false
	}
	for _, key := range sortedKeys(m) {
		if key == "" || !typable(key) || strings.Contains(key, "\n") {
			return false
		}
		row := n.addRow()
		row.Key = key
		row.fill(m[key])
	}
	return true
}

// typable tells whether a browser sends the text back unchanged: no control
// characters but tab and line feed (a carriage return would come and go).
func typable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t'
	})
}

package catalog

import (
	"encoding/json"
	"strings"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// value reads what was typed. ok is false for what is not set. Where a text
// can't be understood the fault says so and null stands in its place, so that
// entries keep their positions.
func (n *Node) value() (value tree, ok bool, faults []fail.Fault) {
	if !n.Set {
		return nil, false, nil
	}
	if n.Raw || n.Field.Kind == KindYAML {
		value, faults = readYAML(n.InputName(), n.Text)
		return value, true, faults
	}
	switch n.Field.Kind {
	case KindObject:
		value, faults = n.objectValue()
	case KindArray:
		value, faults = n.arrayValue()
	case KindMap:
		value, faults = n.mapValue()
	default:
		var why fault
		if value, why = scalarValue(n.Field, n.Text); why != "" {
			faults = []fail.Fault{why.at(n.Name)}
		}
	}
	return value, true, faults
}

// scalarValue reads one typed text.
func scalarValue(f *Field, text string) (tree, fault) {
	trimmed := strings.TrimSpace(text)
	switch f.Kind {
	case KindString:
		return text, ""
	case KindIntOrString:
		if isInteger(trimmed) {
			return json.Number(trimmed), ""
		}
		return text, ""
	case KindEnum:
		return optionValue(f, text)
	case KindBoolean:
		if trimmed == "true" || trimmed == "false" {
			return trimmed == "true", ""
		}
		return nil, faultBoolean
	case KindInteger:
		if isInteger(trimmed) {
			return json.Number(trimmed), ""
		}
		return nil, missing(trimmed, faultInteger)
	case KindNumber:
		if isNumber(trimmed) {
			return json.Number(trimmed), ""
		}
		return nil, missing(trimmed, faultNumber)
	default:
		return nil, faultType
	}
}

func missing(text string, otherwise fault) fault {
	if text == "" {
		return faultEmpty
	}
	return otherwise
}

func optionValue(f *Field, text string) (tree, fault) {
	for _, o := range f.Options {
		if string(o.Value) == text {
			value, err := decode(o.Value)
			if err == nil {
				return value, ""
			}
		}
	}
	return nil, missing(text, faultEnum)
}

func (n *Node) objectValue() (tree, []fail.Fault) {
	out := make(map[string]any)
	var faults []fail.Fault
	for _, child := range n.Fields {
		v, ok, bad := child.value()
		faults = append(faults, bad...)
		if ok {
			out[child.Field.Name] = v
		}
	}
	if strings.TrimSpace(n.Rest) == "" {
		return out, faults
	}
	rest, bad := readYAML(n.RestName(), n.Rest)
	if bad != nil {
		return out, append(faults, bad...)
	}
	m, ok := rest.(map[string]any)
	if !ok {
		return out, append(faults, faultRestMap.at(n.RestName()))
	}
	for key, v := range m {
		if n.under(key) != nil {
			faults = append(faults, faultRestTwice.about(n.RestName(), key))
			continue
		}
		out[key] = v
	}
	return out, faults
}

func (n *Node) arrayValue() (tree, []fail.Fault) {
	out := make([]any, 0, len(n.Rows))
	var faults []fail.Fault
	for _, row := range n.Rows {
		v, _, bad := row.value()
		faults = append(faults, bad...)
		out = append(out, v)
	}
	return out, faults
}

func (n *Node) mapValue() (tree, []fail.Fault) {
	out := make(map[string]any, len(n.Rows))
	var faults []fail.Fault
	for _, row := range n.Rows {
		v, _, bad := row.value()
		faults = append(faults, bad...)
		switch {
		case row.Key == "":
			faults = append(faults, faultKeyEmpty.at(row.KeyName()))
		case has(out, row.Key):
			faults = append(faults, faultKeyTwice.about(row.KeyName(), row.Key))
		default:
			out[row.Key] = v
		}
	}
	return out, faults
}

func readYAML(name, text string) (tree, []fail.Fault) {
	value, err := parseYAML(text)
	if err != nil {
		if strings.TrimSpace(text) == "" {
			return nil, []fail.Fault{faultEmpty.at(name)}
		}
		return nil, []fail.Fault{{Field: name, Text: unreadable(err)}}
	}
	return value, nil
}

// unreadable says why a text is no YAML, and in which line.
func unreadable(err error) message.Text {
	f := syntaxFault(err)
	if f.Line == 0 {
		return faultYAML.text(f.Said())
	}
	return faultYAMLLine.text(message.Num("line", f.Line), f.Said())
}

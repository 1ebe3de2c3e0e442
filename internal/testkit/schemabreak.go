package testkit

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
)

// Breaking is one way to break one rule of a field. Apply changes the node and
// tells at which input the fault must stand; "" where it can't be broken so.
type Breaking struct {
	Name  string
	Apply func(*catalog.Node) string
}

func typed(name, text string) Breaking {
	return Breaking{name, func(n *catalog.Node) string {
		n.Text = text
		return n.Name
	}}
}

// Breaks are the ways to break the rules of a field, each alone.
func Breaks(f *catalog.Field) []Breaking {
	var out []Breaking
	switch f.Kind {
	case catalog.KindInteger:
		out = append(out, typed("not whole", "1.5"), typed("no number", "x"))
	case catalog.KindNumber:
		out = append(out, typed("no number", "x"))
	case catalog.KindBoolean:
		out = append(out, typed("no boolean", "x"))
	case catalog.KindEnum:
		out = append(out, typed("no choice", `"surely not one of them"`))
	case catalog.KindArray, catalog.KindMap:
		out = append(out, rows(f)...)
	case catalog.KindObject:
		out = append(out, fields(f)...)
	case catalog.KindString:
		out = append(out, texts(f)...)
	}
	if f.Kind != catalog.KindYAML && f.Kind != catalog.KindEnum {
		out = append(out, Breaking{"another type", func(n *catalog.Node) string {
			// Not a list for a text: Kubernetes' validator lets lists pass
			// wherever there is a format.
			n.Raw, n.Text = true, `{}`
			if f.Kind == catalog.KindObject || f.Kind == catalog.KindMap {
				n.Text = `[[{}]]`
			}
			return n.YAMLName()
		}})
	}
	return append(out, numbers(f)...)
}

func numbers(f *catalog.Field) []Breaking {
	if f.Kind != catalog.KindInteger && f.Kind != catalog.KindNumber {
		return nil
	}
	var out []Breaking
	if f.Bounds.Min != nil {
		out = append(out, typed("below", fmt.Sprint(*f.Bounds.Min-1)))
	}
	if f.Bounds.Max != nil {
		out = append(out, typed("above", fmt.Sprint(*f.Bounds.Max+1)))
	}
	return out
}

func texts(f *catalog.Field) []Breaking {
	var out []Breaking
	if limit := f.Bounds.MaxLength; limit != nil && *limit < 5000 {
		out = append(out, typed("too long", strings.Repeat("é", int(*limit)+1)))
	}
	if limit := f.Bounds.MinLength; limit != nil && *limit > 0 {
		out = append(out, Breaking{"too short", func(n *catalog.Node) string {
			n.Text = ""
			return n.Name
		}})
	}
	if f.Pattern != "" && !regexp.MustCompile(f.Pattern).MatchString("\n!") {
		out = append(out, typed("pattern", "\n!"))
	}
	switch f.Format {
	case "cidr", "ipv4", "ipv6", "uuid", "date-time", "duration", "mac":
		out = append(out, typed("format", "no such thing"))
	}
	return out
}

func rows(f *catalog.Field) []Breaking {
	out := []Breaking{{"few rows", func(n *catalog.Node) string {
		if f.MinRows() == 0 {
			return ""
		}
		n.Rows = nil
		return n.Name
	}}}
	if f.UniqueItems {
		out = append(out, Breaking{"twice", func(n *catalog.Node) string {
			if len(n.Rows) == 0 {
				return ""
			}
			n.Rows = append(n.Rows, n.Rows[0])
			return repack(n)
		}})
	}
	if limit := f.MaxRows(); limit >= 0 && limit < 200 && f.Kind == catalog.KindArray {
		out = append(out, Breaking{"many rows", func(n *catalog.Node) string {
			if len(n.Rows) == 0 {
				return ""
			}
			for int64(len(n.Rows)) <= limit {
				n.Rows = append(n.Rows, n.Rows[0])
			}
			return repack(n)
		}})
	}
	return out
}

// repack writes the rows as YAML: copies of rows have the names of the first.
func repack(n *catalog.Node) string {
	raw, err := json.Marshal(rowTexts(n))
	if err != nil {
		return ""
	}
	n.Raw, n.Text = true, string(raw)
	return n.YAMLName()
}

func rowTexts(n *catalog.Node) []any {
	var out []any
	for _, row := range n.Rows {
		out = append(out, nodeValue(row))
	}
	return out
}

func nodeValue(n *catalog.Node) any {
	switch n.Field.Kind {
	case catalog.KindObject:
		out := map[string]any{}
		for _, c := range n.Fields {
			if c.Set {
				out[c.Field.Name] = nodeValue(c)
			}
		}
		return out
	case catalog.KindArray:
		return append([]any{}, rowTexts(n)...)
	case catalog.KindMap:
		out := map[string]any{}
		for _, row := range n.Rows {
			out[row.Key] = nodeValue(row)
		}
		return out
	case catalog.KindString:
		return n.Text
	default:
		return json.RawMessage(n.Text)
	}
}

func fields(f *catalog.Field) []Breaking {
	var out []Breaking
	if !f.Preserve {
		out = append(out, Breaking{"unknown field", func(n *catalog.Node) string {
			n.Rest = "surelyNoSuchField: 1\n"
			return n.RestName()
		}})
	}
	for i, child := range f.Fields {
		if !child.Required || child.Default != nil {
			continue
		}
		out = append(out, Breaking{"without " + child.Name, func(n *catalog.Node) string {
			c := n.Fields[i]
			*c = catalog.Node{Field: c.Field, Name: c.Name}
			return c.Name
		}})
	}
	return out
}

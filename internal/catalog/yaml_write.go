package catalog

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// Line is one line of YAML for people.
type Line struct {
	Text  string // with its own indentation, without a line break
	Added bool   // only here because of defaulting
	Input string // name of the input it stands for; may be empty
}

// yamlText writes a value as YAML that every YAML 1.1 and 1.2 reader reads alike.
func yamlText(value tree) string {
	lines := writeYAML(value, cursor{})
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// writeYAML writes value; at tells for each part whether it was added and which
// input it belongs to.
func writeYAML(value tree, at cursor) []Line {
	switch v := value.(type) {
	case map[string]any:
		return writeMap(v, at)
	case []any:
		return writeList(v, at)
	case string:
		if block, ok := blockLines(v); ok {
			return mark(block, at)
		}
	}
	return mark([]string{yamlScalar(value)}, at)
}

// maxSimpleKey is what YAML allows before a colon, with room to spare.
const maxSimpleKey = 1000

func writeMap(m map[string]any, at cursor) []Line {
	if len(m) == 0 {
		return mark([]string{"{}"}, at)
	}
	var out []Line
	for _, key := range sortedKeys(m) {
		here := at.property(key)
		lines := writeYAML(m[key], here)
		head := yamlString(key) + ":"
		switch {
		case len(head) > maxSimpleKey:
			lines[0].Text = ": " + lines[0].Text
			indent(lines[1:])
			lines = append(mark([]string{"? " + yamlString(key)}, here), lines...)
		case inline(m[key]):
			lines[0].Text = head + " " + lines[0].Text
			indent(lines[1:])
		default:
			indent(lines)
			lines = append(mark([]string{head}, here), lines...)
		}
		out = append(out, lines...)
	}
	return out
}

func writeList(list []any, at cursor) []Line {
	if len(list) == 0 {
		return mark([]string{"[]"}, at)
	}
	var out []Line
	for i := range list {
		lines := writeYAML(list[i], at.index(i))
		lines[0].Text = "- " + lines[0].Text
		indent(lines[1:])
		out = append(out, lines...)
	}
	return out
}

// inline tells whether a value may begin behind its key.
func inline(value tree) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	default:
		return true
	}
}

func indent(lines []Line) {
	for i := range lines {
		if lines[i].Text != "" {
			lines[i].Text = "  " + lines[i].Text
		}
	}
}

func mark(text []string, at cursor) []Line {
	out := make([]Line, len(text))
	for i := range text {
		out[i] = Line{Text: text[i], Added: at.added(), Input: at.input()}
	}
	return out
}

func yamlScalar(value tree) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprint(v)
	case json.Number:
		return v.String()
	case string:
		return yamlString(v)
	default:
		return string(canonical(v))
	}
}

// blockLines writes a text of several lines as a literal block, where that
// keeps every character.
func blockLines(s string) ([]string, bool) {
	body := strings.TrimSuffix(s, "\n")
	if !strings.Contains(body, "\n") || strings.HasSuffix(body, "\n") || body[0] == '\n' || body[0] == ' ' {
		return nil, false
	}
	head := "|"
	if body == s {
		head = "|-"
	}
	out := []string{head}
	for _, line := range strings.Split(body, "\n") {
		if line != strings.TrimRight(line, " ") || strings.ContainsFunc(line, odd) {
			return nil, false
		}
		if line != "" {
			line = "  " + line
		}
		out = append(out, line)
	}
	return out, true
}

func odd(r rune) bool { return !unicode.IsPrint(r) }

// yamlString writes a text plainly where no reader can take it for anything
// else, else between double quotes.
func yamlString(s string) string {
	if plainYAML(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r > 0xFFFF && odd(r):
			fmt.Fprintf(&b, `\U%08X`, r)
		case odd(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// plainYAML allows words that begin with a letter or "/" and hold nothing that
// means something in YAML; the words of YAML 1.1 for null and booleans are out.
func plainYAML(s string) bool {
	if s == "" || len(s) > 200 {
		return false
	}
	if c := s[0]; c != '/' && (!safeByte(c) || digit(c) || c == '-') {
		return false
	}
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return false
	}
	for i := 0; i < len(s); i++ {
		if !safeByte(s[i]) && !strings.ContainsRune("./@+", rune(s[i])) {
			return false
		}
	}
	return true
}

package views

import "strings"

// listItem is one point of a condition's message with the points below it.
type listItem struct {
	Text  string
	Below []listItem
}

// parseList reads CAPI's multi-line messages: points begin with "* ", deeper
// ones are indented, and a line without a mark goes on with the point before.
// false: the text is no such list and is to be shown as it stands.
func parseList(text string) ([]listItem, bool) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if first, marked := strings.CutPrefix(strings.TrimLeft(lines[0], " "), "* "); !marked || first == "" {
		return nil, false
	}
	r := listReader{lines: lines}
	return r.read(indentOf(lines[0])), true
}

type listReader struct {
	lines []string
	at    int
}

// read gives the points that are indented by indent, with what is below them.
func (r *listReader) read(indent int) []listItem {
	var items []listItem
	for r.at < len(r.lines) {
		line := r.lines[r.at]
		text, marked := strings.CutPrefix(strings.TrimLeft(line, " "), "* ")
		depth := indentOf(line)
		switch {
		case !marked:
			if len(items) == 0 {
				return items
			}
			items[len(items)-1].Text += " " + strings.TrimSpace(line)
			r.at++
		case depth < indent:
			return items
		case depth > indent && len(items) > 0:
			last := &items[len(items)-1]
			last.Below = append(last.Below, r.read(depth)...)
		default:
			items = append(items, listItem{Text: strings.TrimSpace(text)})
			r.at++
		}
	}
	return items
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

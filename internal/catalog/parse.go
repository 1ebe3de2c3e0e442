package catalog

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// Parse reads the form of one scope out of submitted values. Inputs of other
// prefixes are left alone. What the schema has no place for is put aside, so
// that a class that changed meanwhile loses nothing.
func Parse(schema *Schema, prefix string, values url.Values) State {
	s := NewState(schema, prefix)
	root := newBranchOf(values, prefix)
	for _, n := range s.Nodes {
		n.parse(root.take(Escape(n.Field.Name)))
		n.thin()
	}
	if aside := root.take(markAside); aside != nil {
		s.parseAside(aside.texts)
	}
	if order := root.take(markOrder); order != nil {
		s.Order = order.texts
	}
	root.leftovers(prefix, func(name, text string) {
		s.Aside = append(s.Aside, Aside{
			Variable: variableOf(name), Path: ReadableName(name), Text: text, Why: AsideChanged,
		})
	})
	return s
}

func (s *State) parseAside(texts []string) {
	for _, text := range texts {
		var a Aside
		if json.Unmarshal([]byte(text), &a) == nil {
			s.Aside = append(s.Aside, a)
		}
	}
}

func variableOf(name string) string {
	segments := strings.Split(name, ".")
	if len(segments) < 2 {
		return ""
	}
	variable, err := Unescape(segments[1])
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(variable, "\uFFFD")
}

// parse reads one node; b is nil when nothing of it was sent.
func (n *Node) parse(b *branchOf) {
	if b == nil {
		return
	}
	set := b.take(markSet) != nil
	if raw := b.take(markYAML); raw != nil {
		n.Set, n.Raw, n.Text = true, true, raw.text()
		return
	}
	n.Lines = b.take(markLines) != nil && n.Field.Kind == KindString
	n.Text = n.ownText(b)
	n.parseBelow(b)
	below := slices.ContainsFunc(n.Fields, func(c *Node) bool { return c.Set })
	n.Set = set || n.IsRow || n.Text != "" || n.Rest != "" || below || len(n.Rows) > 0
}

func (n *Node) ownText(b *branchOf) string {
	if !n.Field.Scalar() && n.Field.Kind != KindYAML {
		return ""
	}
	return b.text()
}

func (n *Node) parseBelow(b *branchOf) {
	switch n.Field.Kind {
	case KindObject:
		for _, child := range n.Fields {
			child.parse(b.take(Escape(child.Field.Name)))
		}
		if rest := b.take(markRest); rest != nil {
			n.Rest = rest.text()
		}
	case KindArray:
		for _, row := range b.rows(markItem) {
			n.addRow().parse(row)
		}
	case KindMap:
		for _, row := range b.rows(markRow) {
			added := n.addRow()
			if key := row.take(markKey); key != nil {
				added.Key = key.text()
			}
			added.parse(row)
		}
	}
}

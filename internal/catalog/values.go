package catalog

import (
	"encoding/json"
	"net/url"
)

// setMarker is what a set marker sends; any other text will do as well.
const setMarker = "1"

// Values are the form's inputs with their texts, as a browser would send them.
func (s State) Values() url.Values {
	out := url.Values{}
	for _, n := range s.Nodes {
		n.put(out)
	}
	for _, a := range s.Aside {
		raw, err := json.Marshal(a)
		if err == nil {
			out.Add(s.AsideName(), string(raw))
		}
	}
	for _, name := range s.Order {
		out.Add(s.OrderName(), name)
	}
	return out
}

// AsideName is the name of the hidden inputs that carry Aside, one each.
func (s State) AsideName() string { return join(s.Prefix, markAside) }

// OrderName is the name of the hidden inputs that carry Order, one each.
func (s State) OrderName() string { return join(s.Prefix, markOrder) }

func (n *Node) put(out url.Values) {
	if n.IsRow && n.isMapRow() {
		out.Set(n.KeyName(), n.Key)
	}
	if n.Lines {
		out.Set(n.LinesName(), setMarker)
	}
	switch {
	case !n.Set:
		return
	case n.Raw:
		out.Set(n.YAMLName(), n.Text)
		return
	case n.Field.Scalar():
		out.Set(n.Name, n.Text)
		if n.Text == "" {
			out.Set(n.SetName(), setMarker)
		}
		return
	}
	out.Set(n.SetName(), setMarker)
	if n.Field.Kind == KindYAML {
		out.Set(n.Name, n.Text)
	}
	if n.HasRest() {
		out.Set(n.RestName(), n.Rest)
	}
	for _, child := range n.Fields {
		child.put(out)
	}
	for _, row := range n.Rows {
		row.put(out)
	}
}

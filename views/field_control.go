package views

import (
	"strconv"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/message"
)

// fewOptions is how many choices stand open as radio buttons.
const fewOptions = 4

// controlOf picks the control of a node as it stands. What is not set and has a
// default, or could be set to nothing, gets a button that sets it.
func controlOf(node *catalog.Node, override bool) control {
	f := node.Field
	switch {
	case node.Raw:
		return controlArea
	case !node.Set && (override || f.Default != nil):
		return controlUnset
	}
	switch f.Kind {
	case catalog.KindObject:
		if !node.Set && !f.Required {
			return controlUnset
		}
		return controlObject
	case catalog.KindArray, catalog.KindMap:
		return controlRows
	case catalog.KindYAML:
		return controlArea
	case catalog.KindBoolean:
		return controlRadio
	case catalog.KindEnum:
		if len(f.Options) > fewOptions {
			return controlSelect
		}
		return controlRadio
	}
	switch {
	case node.Multiline() || f.Hints.Widget == "textarea":
		return controlArea
	case f.Hints.Secret:
		return controlSecret
	}
	return controlText
}

// marks are the hidden marker that says "set", and the box for "set, but empty".
func (n nodes) marks(v *nodeView, node *catalog.Node) {
	f := node.Field
	if node.IsRow && node.Keyed() {
		v.KeyName, v.Key, v.KeyFaults = node.KeyName(), node.Key, n.say(node.KeyName())
		v.KeyFocus = n.in.Focus == node.KeyName()
	}
	if node.Raw || v.Control == controlUnset {
		return
	}
	text := f.Kind == catalog.KindString
	if node.Lines {
		v.LinesMark = node.LinesName()
	}
	switch {
	case node.Set && (!f.Scalar() || node.IsRow || f.Default != nil):
		v.SetMark = node.SetName()
	case text && (f.Bounds.MinLength == nil || *f.Bounds.MinLength == 0):
		v.EmptyMark, v.Empty = node.SetName(), node.Set && node.Text == ""
	}
	switch f.Kind {
	case catalog.KindInteger, catalog.KindNumber:
		v.Numeric = true
	case catalog.KindBoolean:
		v.Options = n.booleans(node)
	case catalog.KindEnum:
		v.Options = n.enums(node)
	}
}

func (n nodes) booleans(node *catalog.Node) []entryView {
	return append(n.none(node), entryView{"true", n.p.t("create.yes"), node.Text == "true"}, entryView{"false", n.p.t("create.no"), node.Text == "false"})
}

func (n nodes) enums(node *catalog.Node) []entryView {
	out := n.none(node)
	known := node.Text == ""
	for _, o := range node.Field.Options {
		chosen := node.Text == string(o.Value)
		known = known || chosen
		out = append(out, entryView{string(o.Value), o.Label, chosen})
	}
	if !known { // what was typed elsewhere stays, for the check to find
		out = append(out, entryView{node.Text, node.Text, true})
	}
	return out
}

// none is the choice to set nothing, where that is one.
func (n nodes) none(node *catalog.Node) []entryView {
	f := node.Field
	if node.IsRow || f.Required || f.Default != nil {
		if f.Kind == catalog.KindEnum && len(f.Options) > fewOptions {
			return []entryView{{"", n.p.t("create.choose"), node.Text == ""}}
		}
		return nil
	}
	return []entryView{{"", n.p.t("create.notset"), node.Text == ""}}
}

// inside are the parts of objects, lists and maps.
func (n nodes) inside(v *nodeView, node *catalog.Node) {
	if node.Raw || v.Control == controlUnset {
		return
	}
	for _, child := range node.Fields {
		view := n.node(child, false)
		if folded(child) {
			v.Advanced = append(v.Advanced, view)
			v.Open = v.Open || child.Set || view.faulty()
			continue
		}
		v.Fields = append(v.Fields, view)
	}
	for i, row := range node.Rows {
		view := n.node(row, false)
		view.Label = n.p.t("create.row", message.Str("list", labelOf(node.Field)), message.Str("n", strconv.Itoa(i+1)))
		view.Buttons.Remove = catalog.Action{Verb: catalog.VerbRemove, Name: row.Name}.String()
		if i > 0 && node.Field.Kind == catalog.KindArray {
			view.Buttons.Up = catalog.Action{Verb: catalog.VerbUp, Name: row.Name}.String()
		}
		if i < len(node.Rows)-1 && node.Field.Kind == catalog.KindArray {
			view.Buttons.Down = catalog.Action{Verb: catalog.VerbDown, Name: row.Name}.String()
		}
		v.Rows = append(v.Rows, view)
	}
	if node.HasRest() {
		v.RestName, v.Rest, v.RestFaults = node.RestName(), node.Rest, n.say(node.RestName())
	}
}

// oneLine tells formats that Kubernetes checks and that no text of several lines
// has. Others mean nothing to it: "cloud-config" is some class's own word.
func oneLine(format string) bool {
	switch format {
	case "cidr", "ipv4", "ipv6", "uri", "uuid", "uuid3", "uuid4", "uuid5", "date", "date-time", "datetime", "duration", "email", "hostname", "mac":
		return true
	}
	return false
}

func buttonsOf(node *catalog.Node, c control) nodeButtons {
	var b nodeButtons
	button := func(verb catalog.Verb) string { return catalog.Action{Verb: verb, Name: node.Name}.String() }
	f := node.Field
	if c == controlUnset {
		b.Set = button(catalog.VerbSet)
		if f.Kind == catalog.KindArray || f.Kind == catalog.KindMap {
			b.Add = button(catalog.VerbAdd)
		}
		return b
	}
	line := c == controlText || c == controlSecret // a private key has many lines
	if line && !oneLine(f.Format) && f.Kind == catalog.KindString && f.Pattern == "" {
		b.Lines = button(catalog.VerbLines)
	}
	container := f.Kind == catalog.KindObject || f.Kind == catalog.KindArray || f.Kind == catalog.KindMap
	if node.Set && !node.IsRow && (container || f.Default != nil || node.Raw || f.Kind == catalog.KindYAML) {
		b.Unset = button(catalog.VerbUnset)
	}
	if c == controlRows {
		b.Add = button(catalog.VerbAdd)
	}
	if !node.Set && (c == controlRows || c == controlObject) {
		b.Set = button(catalog.VerbSet)
	}
	if node.Raw && f.Kind != catalog.KindYAML {
		b.Fields = button(catalog.VerbFields)
	}
	if container && !node.Raw {
		b.YAML = button(catalog.VerbYAML)
	}
	return b
}

// unsetLabel names the button for those who don't see what it belongs to; it
// begins with what others see on it.
func unsetLabel(v nodeView) string {
	text := v.t("create.unset")
	if v.Default != "" {
		text = v.t("create.back") + " " + v.Default
	}
	return text + ": " + v.Label
}

package catalog

import (
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// place is where in a form a path of a value is edited.
type place struct {
	node  *Node
	input string // name of the control
	rest  string // what of the path lies inside the control's text
}

// locate finds the input for a path as Kubernetes writes it ("peers[0].name",
// "labels[a.b]", "labels.a.b"). Names may hold dots and brackets, so every way
// of reading the path is tried and the one that leads deepest wins.
func locate(n *Node, path string) place {
	if n.Raw || path == "" {
		return place{node: n, input: n.InputName(), rest: path}
	}
	best := place{node: n, input: n.InputName(), rest: path}
	if n.HasRest() {
		best.input = n.RestName()
	}
	for _, step := range n.steps() {
		after, ok := cutStep(path, step.text)
		if !ok {
			continue
		}
		if found := locate(step.node, after); len(found.rest) < len(best.rest) {
			best = found
		}
	}
	return best
}

type step struct {
	text string
	node *Node
}

func (n *Node) steps() []step {
	var out []step
	for _, child := range n.Fields {
		out = append(out, step{child.Field.Name, child})
	}
	for i, row := range n.Rows {
		if n.Field.Kind == KindArray {
			out = append(out, step{strconv.Itoa(i), row})
			continue
		}
		out = append(out, step{row.Key, row})
	}
	return out
}

// cutStep takes one step off a path: "name", ".name" or "[name]", followed by
// the end or another step.
func cutStep(path, name string) (string, bool) {
	if after, ok := strings.CutPrefix(path, "["+name+"]"); ok {
		return strings.TrimPrefix(after, "."), true
	}
	after, ok := strings.CutPrefix(strings.TrimPrefix(path, "."), name)
	switch {
	case !ok:
		return "", false
	case after == "" || after[0] == '[':
		return after, true
	case after[0] == '.':
		return after[1:], true
	default:
		return "", false
	}
}

// within names the inner place in words, where the input holds a whole value as
// YAML. A missing field of the control itself is named as well.
func (p place) within(f fail.Fault) fail.Fault {
	if p.rest == "" {
		return f
	}
	f.Text = faultWithin.text(message.Str("path", p.rest), message.Sub("what", f.Text))
	return f
}

// name is the inner place, or else the node's own name.
func (p place) name() string {
	if p.rest != "" {
		return p.rest
	}
	return p.node.step()
}

func str(name, value string) message.Arg { return message.Str(name, value) }

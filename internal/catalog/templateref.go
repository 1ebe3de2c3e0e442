package catalog

import (
	"slices"
	"strings"
	"text/template/parse"
)

// refs are the variables that a Go template reads.
type refs struct {
	paths  []string // "net.cidr", each once, in order
	opaque bool     // all variables at once are handed on, or it can't be read
}

// templateRefs reads a template without running it. Inside range and with the
// dot is something else, so only "$." means a variable there; the names that
// such a block goes through are read as a whole.
func templateRefs(source string) refs {
	var r refs
	if strings.TrimSpace(source) == "" {
		return r
	}
	t := parse.New("patch")
	t.Mode = parse.SkipFuncCheck
	trees := make(map[string]*parse.Tree)
	if _, err := t.Parse(source, "", "", trees); err != nil {
		return refs{opaque: true}
	}
	if t.Root != nil {
		r.list(t.Root, true)
	}
	for name, tree := range trees {
		if name != "patch" && tree.Root != nil {
			r.list(tree.Root, false)
		}
	}
	return r
}

func (r *refs) list(l *parse.ListNode, root bool) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		r.node(n, root)
	}
}

// node reads one node; root says that the dot is the map of all variables.
func (r *refs) node(n parse.Node, root bool) {
	switch n := n.(type) {
	case *parse.ActionNode:
		r.pipe(n.Pipe, root)
	case *parse.IfNode:
		r.branch(&n.BranchNode, root, root)
	case *parse.RangeNode:
		r.branch(&n.BranchNode, root, false)
	case *parse.WithNode:
		r.branch(&n.BranchNode, root, false)
	case *parse.TemplateNode:
		r.pipe(n.Pipe, root)
	}
}

func (r *refs) branch(b *parse.BranchNode, root, inside bool) {
	r.pipe(b.Pipe, root)
	r.list(b.List, inside)
	r.list(b.ElseList, root)
}

func (r *refs) pipe(p *parse.PipeNode, root bool) {
	if p == nil {
		return
	}
	for _, c := range p.Cmds {
		if name, ok := indexed(c, root); ok {
			r.add(name)
			continue
		}
		for _, arg := range c.Args {
			r.arg(arg, root)
		}
	}
}

func (r *refs) arg(n parse.Node, root bool) {
	switch n := n.(type) {
	case *parse.FieldNode:
		if root {
			r.add(strings.Join(n.Ident, "."))
		}
	case *parse.VariableNode:
		if n.Ident[0] == "$" {
			if len(n.Ident) == 1 {
				r.opaque = true
				return
			}
			r.add(strings.Join(n.Ident[1:], "."))
		}
	case *parse.DotNode:
		r.opaque = r.opaque || root
	case *parse.ChainNode:
		r.arg(n.Node, root)
	case *parse.PipeNode:
		r.pipe(n, root)
	}
}

// indexed knows `index . "name"` and `index $ "name"`.
func indexed(c *parse.CommandNode, root bool) (string, bool) {
	if len(c.Args) < 3 {
		return "", false
	}
	f, ok := c.Args[0].(*parse.IdentifierNode)
	if !ok || f.Ident != "index" && f.Ident != "get" && f.Ident != "hasKey" {
		return "", false
	}
	name, ok := c.Args[2].(*parse.StringNode)
	if !ok {
		return "", false
	}
	switch of := c.Args[1].(type) {
	case *parse.DotNode:
		return name.Text, root
	case *parse.VariableNode:
		return name.Text, len(of.Ident) == 1 && of.Ident[0] == "$"
	default:
		return "", false
	}
}

func (r *refs) add(path string) {
	if path != "" && !slices.Contains(r.paths, path) {
		r.paths = append(r.paths, path)
	}
}

// variableIn is the variable's name in a path such as "net.peers[0].name".
func variableIn(path string) string {
	if i := strings.IndexAny(path, ".["); i >= 0 {
		return path[:i]
	}
	return path
}

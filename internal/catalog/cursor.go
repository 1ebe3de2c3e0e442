package catalog

import "strconv"

// cursor walks along with the YAML writer: through the value as it was before
// defaulting, and through the form's nodes.
type cursor struct {
	compare bool // before means something
	before  tree
	was     bool // the value existed before
	node    *Node
}

func (c cursor) added() bool { return c.compare && !c.was }

func (c cursor) input() string {
	if c.node == nil {
		return ""
	}
	return c.node.InputName()
}

func (c cursor) property(key string) cursor {
	next := cursor{compare: c.compare, node: c.node}
	if m, ok := c.before.(map[string]any); ok && c.was {
		next.before, next.was = m[key], has(m, key)
	}
	if c.node != nil {
		if child := c.node.under(key); child != nil {
			next.node = child
		}
	}
	return next
}

func (c cursor) index(i int) cursor {
	next := cursor{compare: c.compare, node: c.node}
	if list, ok := c.before.([]any); ok && c.was && i < len(list) {
		next.before, next.was = list[i], true
	}
	if c.node != nil {
		if child := c.node.under(strconv.Itoa(i)); child != nil {
			next.node = child
		}
	}
	return next
}

func has(m map[string]any, key string) bool {
	_, ok := m[key]
	return ok
}

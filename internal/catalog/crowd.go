package catalog

// maxInputs is how many inputs the rows of one variable may have: with more, a
// page would be megabytes that nobody fills in one by one. Beyond it is YAML.
const maxInputs = 1000

// crowded tells whether the rows at and below a node hold too many inputs.
func (n *Node) crowded() bool { return n.inRows() > maxInputs }

// inRows counts the nodes in rows; what the schema itself brings has no limit.
func (n *Node) inRows() int {
	count := 0
	for _, row := range n.Rows {
		row.Walk(func(*Node) { count++ })
	}
	for _, child := range n.Fields {
		count += child.inRows()
	}
	return count
}

// thin makes YAML of more rows than the form offers to add, as they come from a
// request that no page made: each would be read, checked and shown.
func (n *Node) thin() {
	if !n.crowded() {
		return
	}
	if value, ok, unreadable := n.value(); ok && len(unreadable) == 0 {
		n.fill(value)
	}
}

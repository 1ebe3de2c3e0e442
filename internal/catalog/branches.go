package catalog

import (
	"net/url"
	"slices"
	"strings"
)

// branchOf is the submitted values as a tree of name segments, so that a form
// is read in one pass and what nobody asked for is known at the end.
type branchOf struct {
	texts []string // of the input with exactly this name
	below map[string]*branchOf
	taken bool
}

// newBranchOf builds the tree below one prefix.
func newBranchOf(values url.Values, prefix string) *branchOf {
	root := &branchOf{taken: true}
	for name, texts := range values {
		rest, ok := strings.CutPrefix(name, prefix+".")
		if !ok || len(texts) == 0 {
			continue
		}
		at := root
		for _, segment := range strings.Split(rest, ".") {
			at = at.grow(segment)
		}
		at.texts = texts
	}
	return root
}

func (b *branchOf) grow(segment string) *branchOf {
	if b.below == nil {
		b.below = make(map[string]*branchOf)
	}
	next, ok := b.below[segment]
	if !ok {
		next = &branchOf{}
		b.below[segment] = next
	}
	return next
}

// take is the branch of a segment, nil when nothing was sent there.
func (b *branchOf) take(segment string) *branchOf {
	next := b.below[segment]
	if next != nil {
		next.taken = true
	}
	return next
}

// rows are the branches of a list or map in their order; gaps close.
func (b *branchOf) rows(mark string) []*branchOf {
	var indices []int
	segments := make(map[int]string)
	for segment := range b.below {
		if i, ok := rowIndex(segment, mark); ok {
			indices = append(indices, i)
			segments[i] = segment
		}
	}
	slices.Sort(indices)
	out := make([]*branchOf, 0, len(indices))
	for _, i := range indices {
		out = append(out, b.take(segments[i]))
	}
	return out
}

// text is the input's text with the browser's line ends turned into line feeds.
// Of several inputs with one name (a hidden empty one before a box) the last
// that says something counts.
func (b *branchOf) text() string {
	text := ""
	for _, t := range b.texts {
		if t != "" {
			text = t
		}
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// leftovers reports texts that nobody took, by name.
func (b *branchOf) leftovers(name string, report func(name, text string)) {
	for _, segment := range sortedKeys(b.below) {
		next := b.below[segment]
		here := join(name, segment)
		if text := next.text(); !next.taken && text != "" && !strings.HasPrefix(segment, markSet) && segment != markLines {
			report(here, text)
		}
		next.leftovers(here, report)
	}
}

package topology

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	kjson "sigs.k8s.io/json"
)

// Kept is what a form can't show of the Cluster it was filled in from: it is
// created all the same, and the page says so. It lives in a hidden input.
type Kept struct {
	// Parts are values by their JSON pointer (RFC 6901) in the Cluster, or in the
	// pool of its topology.
	Parts map[string]json.RawMessage `json:"parts,omitempty"`
	// Left is what stays behind, for the page to say.
	Left []LeftOut `json:"left,omitempty"`
}

// LeftOut is a part that is not taken over.
type LeftOut struct {
	Path string  `json:"path"` // JSON pointer
	Why  LeftWhy `json:"why"`
}

// LeftWhy says why a part is left out.
type LeftWhy string

// The reasons.
const (
	LeftHistory LeftWhy = "history" // what tools noted about the other object
	LeftOwner   LeftWhy = "owner"   // who owns or deploys the other object
	LeftState   LeftWhy = "state"   // what the other cluster is doing
	LeftMade    LeftWhy = "made"    // Cluster API makes it anew
	LeftBoth    LeftWhy = "both"    // a number beside a range
)

// KeptPart is one part for people.
type KeptPart struct {
	Pointer string
	Path    string // "spec.topology.controlPlane.healthCheck"
	Value   json.RawMessage
}

// parseKept reads the hidden input; what can't be read was not written by the
// form, and holds nothing.
func parseKept(text string) Kept {
	var k Kept
	if text == "" || json.Unmarshal([]byte(text), &k) != nil {
		return Kept{}
	}
	return k
}

// Text is the value of the hidden input; empty when there is nothing to keep.
func (k Kept) Text() string {
	if len(k.Parts)+len(k.Left) == 0 {
		return ""
	}
	raw, err := json.Marshal(k)
	if err != nil {
		return ""
	}
	return string(raw)
}

// Rows are the parts in the order of their paths.
func (k Kept) Rows() []KeptPart {
	out := make([]KeptPart, 0, len(k.Parts))
	for pointer, value := range k.Parts {
		out = append(out, KeptPart{Pointer: pointer, Path: readablePath(pointer), Value: value})
	}
	slices.SortFunc(out, func(a, b KeptPart) int { return strings.Compare(a.Pointer, b.Pointer) })
	return out
}

// Readable is the path for people.
func (l LeftOut) Readable() string { return readablePath(l.Path) }

// forget is k without one part.
func (k Kept) forget(pointer string) Kept {
	parts := map[string]json.RawMessage{}
	for at, value := range k.Parts {
		if at != pointer {
			parts[at] = value
		}
	}
	k.Parts = parts
	return k
}

func (k *Kept) add(pointer string, value any) {
	raw, err := json.Marshal(value)
	if err != nil {
		return
	}
	if k.Parts == nil {
		k.Parts = map[string]json.RawMessage{}
	}
	k.Parts[pointer] = raw
}

// into lays the parts into object, a pointer to one of Cluster API's types. It
// tells the first part that has no place there; the others are laid in.
func (k Kept) into(object any) (misfit string) {
	root := map[string]any{}
	for _, row := range k.Rows() {
		put(root, segments(row.Pointer), row.Value)
	}
	raw, err := json.Marshal(root)
	if err != nil {
		return ""
	}
	strict, err := kjson.UnmarshalStrict(raw, object, kjson.DisallowUnknownFields)
	if err != nil {
		strict = append(strict, err)
	}
	if len(strict) == 0 {
		return ""
	}
	var at kjson.FieldError
	if errors.As(strict[0], &at) {
		return at.FieldPath()
	}
	return strict[0].Error()
}

func put(at map[string]any, path []string, value json.RawMessage) {
	if len(path) == 0 {
		return
	}
	if len(path) == 1 {
		at[path[0]] = value
		return
	}
	next, ok := at[path[0]].(map[string]any)
	if !ok {
		next = map[string]any{}
		at[path[0]] = next
	}
	put(next, path[1:], value)
}

func pointerTo(parent, key string) string {
	return parent + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

func segments(pointer string) []string {
	var out []string
	for _, s := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		out = append(out, strings.NewReplacer("~1", "/", "~0", "~").Replace(s))
	}
	return out
}

func readablePath(pointer string) string {
	var b strings.Builder
	for _, s := range segments(pointer) {
		switch {
		case strings.ContainsAny(s, "./"):
			b.WriteString("[" + s + "]")
		case b.Len() == 0:
			b.WriteString(s)
		default:
			b.WriteString("." + s)
		}
	}
	return b.String()
}

// treeOf is an object of Cluster API as JSON, with its numbers as they are.
func treeOf(object any) map[string]any {
	raw, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var tree map[string]any
	if d.Decode(&tree) != nil {
		return nil
	}
	return tree
}

package catalog

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/capstan-portal/capstan/internal/message"
)

// YAMLDocument is one strictly read YAML document: no aliases, no doubled keys.
type YAMLDocument struct {
	JSON json.RawMessage // numbers as they were typed
	root *yaml.Node
}

// YAMLFault says why a text is not one document. Line is 0 where no line can be
// named; Words are those of the YAML library, or Text says it in ours.
type YAMLFault struct {
	What  YAMLProblem
	Line  int
	Words string
	Text  message.Text
}

// Said is the fault as an argument named words.
func (f *YAMLFault) Said() message.Arg {
	if f.Text.IsZero() {
		return message.Str("words", f.Words)
	}
	return message.Sub("words", f.Text)
}

// YAMLProblem is a kind of YAMLFault.
type YAMLProblem string

// The problems.
const (
	YAMLEmpty  YAMLProblem = "empty"
	YAMLMany   YAMLProblem = "many"   // a second document begins at Line
	YAMLSyntax YAMLProblem = "syntax" // no YAML, or none that JSON can hold
)

// ReadYAML reads a text that shall be one document.
func ReadYAML(text string) (YAMLDocument, *YAMLFault) {
	d := yaml.NewDecoder(strings.NewReader(text))
	var doc *yaml.Node
	for {
		next := &yaml.Node{}
		err := d.Decode(next)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return YAMLDocument{}, syntaxFault(err)
		}
		if len(next.Content) != 1 || next.Content[0].ShortTag() == "!!null" {
			continue // "---" at the end, or comments only
		}
		if doc != nil {
			return YAMLDocument{}, &YAMLFault{What: YAMLMany, Line: next.Content[0].Line}
		}
		doc = next
	}
	if doc == nil {
		return YAMLDocument{}, &YAMLFault{What: YAMLEmpty}
	}
	value, err := fromYAML(doc.Content[0], 0)
	if err != nil {
		return YAMLDocument{}, syntaxFault(err)
	}
	return YAMLDocument{JSON: marshal(value), root: doc.Content[0]}, nil
}

// syntaxFault takes the line out of the reader's words.
func syntaxFault(err error) *YAMLFault {
	var ours yamlError
	if errors.As(err, &ours) {
		return &YAMLFault{What: YAMLSyntax, Line: ours.line, Text: ours.text}
	}
	words := strings.TrimPrefix(err.Error(), "yaml: ")
	f := &YAMLFault{What: YAMLSyntax, Words: words}
	if m := regexp.MustCompile(`^line (\d+): (.*)`).FindStringSubmatch(words); m != nil {
		f.Line, _ = strconv.Atoi(m[1])
		f.Words = m[2]
	}
	return f
}

// Mapping tells whether the document has fields at all.
func (d YAMLDocument) Mapping() bool { return d.root != nil && d.root.Kind == yaml.MappingNode }

// Line is where a field stands, given its path like "spec.pools[0].name"; the
// line of the nearest parent where it isn't found, at least 1.
func (d YAMLDocument) Line(path string) int {
	at := d.root
	if at == nil {
		return 1
	}
	line := at.Line
	for rest := path; rest != "" && at != nil; {
		at, line, rest = descend(at, line, rest)
	}
	return line
}

// descend follows the first part of a path. Keys may hold dots: the longest key
// that fits is taken.
func descend(at *yaml.Node, line int, path string) (next *yaml.Node, nextLine int, rest string) {
	if index, after, ok := strings.Cut(strings.TrimPrefix(path, "["), "]"); ok && path[0] == '[' {
		i, err := strconv.Atoi(index)
		if err != nil || at.Kind != yaml.SequenceNode || i < 0 || i >= len(at.Content) {
			return nil, line, ""
		}
		return at.Content[i], at.Content[i].Line, strings.TrimPrefix(after, ".")
	}
	best := -1
	for i := 0; at.Kind == yaml.MappingNode && i+1 < len(at.Content); i += 2 {
		key := at.Content[i].Value
		after, ok := strings.CutPrefix(path, key)
		if ok && (after == "" || after[0] == '.' || after[0] == '[') && (best < 0 || len(key) > len(at.Content[best].Value)) {
			best = i
		}
	}
	if best < 0 {
		return nil, line, ""
	}
	key := at.Content[best]
	return at.Content[best+1], key.Line, strings.TrimPrefix(path[len(key.Value):], ".")
}

package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/capstan-portal/capstan/internal/message"
)

// yamlError is what this reader refuses though it is YAML; it has words in every
// language, unlike what the YAML library says.
type yamlError struct {
	line int // 0 where there is none to name
	text message.Text
}

func (e yamlError) Error() string { return string(e.text.Key) }

const (
	sayYAMLAlias  message.Key = "catalog.yaml.alias"
	sayYAMLMany   message.Key = "catalog.yaml.many"
	sayYAMLKey    message.Key = "catalog.yaml.key"
	sayYAMLTwice  message.Key = "catalog.yaml.twice" // name
	sayYAMLNumber message.Key = "catalog.yaml.number"
	sayYAMLEmpty  message.Key = "catalog.yaml.empty"
	sayYAMLDeep   message.Key = "catalog.yaml.deep"
	sayYAMLTag    message.Key = "catalog.yaml.tag" // tag
)

func refusedYAML(line int, key message.Key, args ...message.Arg) error {
	return yamlError{line, message.New(key, args...)}
}

// maxYAMLDepth is far beyond any schema; it keeps the stack small.
const maxYAMLDepth = 200

// parseYAML reads one YAML document strictly: no aliases, no doubled keys.
// Numbers stay as typed as far as JSON can hold them.
func parseYAML(text string) (tree, error) {
	d := yaml.NewDecoder(strings.NewReader(text))
	var doc yaml.Node
	if err := d.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, refusedYAML(0, sayYAMLEmpty)
		}
		return nil, err
	}
	var second yaml.Node
	if err := d.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, refusedYAML(0, sayYAMLMany)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, refusedYAML(0, sayYAMLEmpty)
	}
	return fromYAML(doc.Content[0], 0)
}

func fromYAML(n *yaml.Node, depth int) (tree, error) {
	switch {
	case depth > maxYAMLDepth:
		return nil, refusedYAML(n.Line, sayYAMLDeep)
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return nil, refusedYAML(n.Line, sayYAMLAlias)
	case n.Kind == yaml.MappingNode:
		return fromMapping(n, depth)
	case n.Kind == yaml.SequenceNode:
		out := make([]any, 0, len(n.Content))
		for _, c := range n.Content {
			v, err := fromYAML(c, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	default:
		return fromScalar(n)
	}
}

func fromMapping(n *yaml.Node, depth int) (tree, error) {
	out := make(map[string]any, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" || key.ShortTag() == "!!null" {
			return nil, refusedYAML(key.Line, sayYAMLKey)
		}
		if _, twice := out[key.Value]; twice {
			return nil, refusedYAML(key.Line, sayYAMLTwice, str("name", key.Value))
		}
		v, err := fromYAML(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		out[key.Value] = v
	}
	return out, nil
}

func fromScalar(n *yaml.Node) (tree, error) {
	switch n.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!bool":
		var b bool
		err := n.Decode(&b)
		return b, err
	case "!!int":
		return yamlNumber(n)
	case "!!float":
		return yamlNumber(n)
	case "!!str", "!!timestamp":
		return n.Value, nil
	default:
		return nil, refusedYAML(n.Line, sayYAMLTag, str("tag", n.ShortTag()))
	}
}

func yamlNumber(n *yaml.Node) (tree, error) {
	if isNumber(n.Value) {
		return json.Number(n.Value), nil
	}
	var i int64
	if n.ShortTag() == "!!int" && n.Decode(&i) == nil {
		return json.Number(fmt.Sprint(i)), nil
	}
	var f float64
	if err := n.Decode(&f); err != nil {
		return nil, refusedYAML(n.Line, sayYAMLNumber)
	}
	raw, err := json.Marshal(f)
	if err != nil {
		return nil, refusedYAML(n.Line, sayYAMLNumber)
	}
	return json.Number(raw), nil
}

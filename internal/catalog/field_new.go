package catalog

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// newField builds the tree of one schema. path is what people read.
func newField(name, path string, required bool, s *clusterv1.JSONSchemaProps) *Field {
	f := &Field{
		Name: name, Path: path, Kind: kindOf(s), Type: s.Type, Required: required,
		Description: s.Description,
		Example:     rawJSON(s.Example), Default: rawJSON(s.Default),
		Options: options(s.Enum), Bounds: boundsOf(s),
		Pattern: s.Pattern, Format: s.Format,
		UniqueItems: isTrue(s.UniqueItems), Preserve: isTrue(s.XPreserveUnknownFields),
		Rules: rulesOf(s.XValidations), Choices: choicesOf(s),
		Hints: newHints(s.XMetadata.Labels, s.XMetadata.Annotations),
	}
	if f.Hints.Help == f.Description {
		f.Hints.Help = "" // said once
	}
	if s.Format == "password" {
		f.Hints.Secret = true
	}
	for _, property := range sortedKeys(s.Properties) {
		p := s.Properties[property]
		f.Fields = append(f.Fields, newField(property, path+"."+property, slices.Contains(s.Required, property), &p))
	}
	slices.SortStableFunc(f.Fields, byOrder)
	switch {
	case s.Items != nil:
		f.Item = newField("", path+"[]", false, s.Items)
	case s.AdditionalProperties != nil:
		f.Item = newField("", path+".*", false, s.AdditionalProperties)
	}
	return f
}

// kindOf picks the control. An enum is a choice whatever its type; what has no
// type, or a container without a schema of its content, can only be YAML.
func kindOf(s *clusterv1.JSONSchemaProps) Kind {
	switch {
	case len(s.Enum) > 0:
		return KindEnum
	case isTrue(s.XIntOrString):
		return KindIntOrString
	case s.Type == "array" && s.Items != nil:
		return KindArray
	case s.Type == "object" && s.AdditionalProperties != nil:
		return KindMap
	case s.Type == "object" && (len(s.Properties) > 0 || !isTrue(s.XPreserveUnknownFields)):
		return KindObject
	case s.Type == "string" || s.Type == "integer" || s.Type == "number" || s.Type == "boolean":
		return Kind(s.Type)
	default:
		return KindYAML
	}
}

func byOrder(a, b *Field) int {
	if c := a.Hints.Compare(b.Hints); c != 0 {
		return c
	}
	if a.Required != b.Required {
		if a.Required {
			return -1
		}
		return 1
	}
	return cmp.Compare(a.Name, b.Name)
}

func options(enum []apiextensionsv1.JSON) []Option {
	var out []Option
	for i := range enum {
		value, err := decode(enum[i].Raw)
		if err != nil {
			continue
		}
		raw := canonical(value)
		label := string(raw)
		if s, ok := value.(string); ok && s != "" {
			label = s
		}
		out = append(out, Option{Value: raw, Label: label})
	}
	return out
}

func boundsOf(s *clusterv1.JSONSchemaProps) Bounds {
	return Bounds{
		Min: s.Minimum, Max: s.Maximum,
		ExclusiveMin: isTrue(s.ExclusiveMinimum), ExclusiveMax: isTrue(s.ExclusiveMaximum),
		MinLength: s.MinLength, MaxLength: s.MaxLength,
		MinItems: s.MinItems, MaxItems: s.MaxItems,
		MinProperties: s.MinProperties, MaxProperties: s.MaxProperties,
	}
}

func rulesOf(rules []clusterv1.ValidationRule) []Rule {
	var out []Rule
	for _, r := range rules {
		out = append(out, Rule{
			Rule: r.Rule, Message: r.Message, MessageExpression: r.MessageExpression,
			FieldPath: r.FieldPath, Transition: strings.Contains(r.Rule, "oldSelf"),
		})
	}
	return out
}

func rawJSON(j *apiextensionsv1.JSON) json.RawMessage {
	if j == nil || len(j.Raw) == 0 {
		return nil
	}
	value, err := decode(j.Raw)
	if err != nil {
		return nil
	}
	return canonical(value)
}

func isTrue(p *bool) bool { return p != nil && *p }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

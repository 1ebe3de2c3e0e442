package catalog

import (
	"encoding/json"
	"slices"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

func choicesOf(s *clusterv1.JSONSchemaProps) []Choice {
	var out []Choice
	add := func(how ChoiceKind, schemas []clusterv1.JSONSchemaProps) {
		fixed := isTrue(s.XIntOrString) && how == AnyOf && justTypes(schemas)
		if len(schemas) > 0 && !fixed {
			out = append(out, Choice{How: how, Branches: branches(schemas)})
		}
	}
	add(AllOf, s.AllOf)
	add(AnyOf, s.AnyOf)
	add(OneOf, s.OneOf)
	if s.Not != nil {
		add(Not, []clusterv1.JSONSchemaProps{*s.Not})
	}
	return out
}

// justTypes recognises the fixed anyOf of an int-or-string, which says nothing
// that its kind doesn't.
func justTypes(schemas []clusterv1.JSONSchemaProps) bool {
	return len(schemas) == 2 && schemas[0].Type == "integer" && schemas[1].Type == "string"
}

func branches(schemas []clusterv1.JSONSchemaProps) []Branch {
	out := make([]Branch, 0, len(schemas))
	for i := range schemas {
		out = append(out, newBranch(&schemas[i]))
	}
	return out
}

func newBranch(s *clusterv1.JSONSchemaProps) Branch {
	b := Branch{Required: slices.Clone(s.Required)}
	raw, err := json.Marshal(s)
	if err != nil {
		return b
	}
	value, err := decode(raw)
	if err != nil {
		return b
	}
	b.YAML = yamlText(value)
	if m, ok := value.(map[string]any); ok {
		b.OnlyRequired = len(m) == 1 && len(s.Required) > 0
	}
	return b
}

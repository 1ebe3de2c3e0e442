package catalog

import (
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// wrapped is the one property around a variable's value: the structural
// packages work on objects only.
const wrapped = "value"

// program is one variable's schema, compiled.
type program struct {
	validator  validation.SchemaValidator
	structural *structuralschema.Structural // of {value: …}
	cel        *cel.Validator               // of {value: …}; nil without rules
}

// compile does what Cluster API's webhook does for every value anew
// (internal/topology/variables, ValidateClusterVariable).
func compile(s *clusterv1.JSONSchemaProps) (*program, error) {
	props, err := convert(s)
	if err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return nil, fmt.Errorf("schema validator: %w", err)
	}
	structural, err := structuralschema.NewStructural(&apiextensions.JSONSchemaProps{
		Type:       "object",
		Properties: map[string]apiextensions.JSONSchemaProps{wrapped: *props},
	})
	if err != nil {
		return nil, fmt.Errorf("structural schema: %w", err)
	}
	return &program{
		validator: validator, structural: structural,
		cel: cel.NewValidator(structural, false, celconfig.PerCallLimit),
	}, nil
}

// convert goes through JSON: Cluster API's schema is a subset of Kubernetes'
// with the same names.
func convert(s *clusterv1.JSONSchemaProps) (*apiextensions.JSONSchemaProps, error) {
	clean := s.DeepCopy()
	sanitize(clean)
	raw, err := json.Marshal(clean)
	if err != nil {
		return nil, err
	}
	var v1 apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(raw, &v1); err != nil {
		return nil, err
	}
	var out apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &out, nil); err != nil {
		return nil, err
	}
	return &out, nil
}

// sanitize drops what the Kubernetes type would misread: a written-out "false"
// for unknown fields, and nulls, which Cluster API loses when it reads a class.
func sanitize(s *clusterv1.JSONSchemaProps) {
	if s == nil {
		return
	}
	if !isTrue(s.XPreserveUnknownFields) {
		s.XPreserveUnknownFields = nil
	}
	s.Enum = present(s.Enum)
	if s.Default != nil && len(s.Default.Raw) == 0 {
		s.Default = nil
	}
	s.Example = nil
	for name, p := range s.Properties {
		sanitize(&p)
		s.Properties[name] = p
	}
	sanitize(s.Items)
	sanitize(s.AdditionalProperties)
	sanitize(s.Not)
	for _, list := range [][]clusterv1.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			sanitize(&list[i])
		}
	}
}

func present(enum []apiextensionsv1.JSON) []apiextensionsv1.JSON {
	var out []apiextensionsv1.JSON
	for _, e := range enum {
		if len(e.Raw) > 0 {
			out = append(out, e)
		}
	}
	return out
}

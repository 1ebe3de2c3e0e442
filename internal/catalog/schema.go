package catalog

import (
	"slices"

	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Schema is everything that can be set through the variables of one class, at
// one generation.
type Schema struct {
	Namespace, Class string
	Generation       int64
	// Reconciled says that the status can be trusted. While it is false the
	// webhook accepts a Cluster without looking at its variables.
	Reconciled bool
	Variables  []*Variable // in the class's order
}

// Inline is the source of a definition that stands in the class itself; any other
// source is the patch whose runtime extension discovers it.
const Inline = clusterv1.VariableDefinitionFromInline

// Variable is one variable of a class.
type Variable struct {
	*Field
	// From are the sources of the definition: Inline or names of patches.
	From []string
	// Conflict: the sources define it differently, and Cluster API reconciles no
	// Cluster of the class. Others holds the definitions after the first, in the
	// order of From.
	Conflict bool
	Others   []*Field

	schema clusterv1.JSONSchemaProps
}

// NewSchema reads the variables of a class: from its status, or, while the
// class has never been reconciled, from its inline definitions.
func NewSchema(cc *clusterv1.ClusterClass) *Schema {
	s := &Schema{
		Namespace: cc.Namespace, Class: cc.Name, Generation: cc.Generation,
		Reconciled: reconciled(cc),
	}
	if len(cc.Status.Variables) == 0 && !s.Reconciled {
		for i := range cc.Spec.Variables {
			s.Variables = append(s.Variables, inlineVariable(&cc.Spec.Variables[i]))
		}
		return s
	}
	for i := range cc.Status.Variables {
		s.Variables = append(s.Variables, statusVariable(&cc.Status.Variables[i]))
	}
	return s
}

// Variable finds a variable by name; nil when the class has none of that name.
func (s *Schema) Variable(name string) *Variable {
	i := slices.IndexFunc(s.Variables, func(v *Variable) bool { return v.Name == name })
	if i < 0 {
		return nil
	}
	return s.Variables[i]
}

// Conflicts names the variables whose sources disagree.
func (s *Schema) Conflicts() []string {
	var names []string
	for _, v := range s.Variables {
		if v.Conflict {
			names = append(names, v.Name)
		}
	}
	return names
}

// reconciled is the webhook's own test (Cluster API:
// core/webhooks/admission/cluster.go, clusterClassIsReconciled).
func reconciled(cc *clusterv1.ClusterClass) bool {
	if cc.Generation != cc.Status.ObservedGeneration {
		return false
	}
	c := apimeta.FindStatusCondition(cc.Status.Conditions, clusterv1.ClusterClassVariablesReadyCondition)
	return c != nil && c.Status != metav1.ConditionFalse
}

func inlineVariable(v *clusterv1.ClusterClassVariable) *Variable {
	return newVariable(v.Name, []clusterv1.ClusterClassStatusVariableDefinition{{
		From: Inline, Required: v.Required,
		DeprecatedV1Beta1Metadata: v.DeprecatedV1Beta1Metadata, // where classes of v1beta1 have their hints
		Schema:                    v.Schema,
	}})
}

func statusVariable(v *clusterv1.ClusterClassStatusVariable) *Variable {
	out := newVariable(v.Name, v.Definitions)
	out.Conflict = isTrue(v.DefinitionsConflict) || len(v.Definitions) == 0
	if !out.Conflict {
		out.Others = nil
	}
	return out
}

func newVariable(name string, definitions []clusterv1.ClusterClassStatusVariableDefinition) *Variable {
	out := &Variable{Field: &Field{Name: name, Path: name, Kind: KindYAML}}
	for i := range definitions {
		d := &definitions[i]
		out.From = append(out.From, d.From)
		schema := d.Schema.OpenAPIV3Schema
		f := newField(name, name, isTrue(d.Required), &schema)
		metadata := d.DeprecatedV1Beta1Metadata // where classes of v1beta1 have their hints
		old := newHints(metadata.Labels, metadata.Annotations)
		if f.Hints == (Hints{}) {
			f.Hints = old
		}
		if i == 0 {
			out.Field, out.schema = f, schema
			continue
		}
		out.Others = append(out.Others, f)
	}
	return out
}

package catalog

import (
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/message"
)

// Blueprint is everything about one class: what its page shows and what a form
// is made from.
type Blueprint struct {
	Class
	// Revision changes whenever anything about the class does.
	Revision    string
	Generation  int64
	Composition Composition
	Schema      *Schema
	Effects     *Effects
	Problems    []Problem
	// Unresolved: the controller failed to follow a reference to a template. It
	// doesn't say which (Cluster API: clusterclass_controller_status.go).
	Unresolved bool
}

// NewBlueprint reads a class as a whole.
func NewBlueprint(cc *clusterv1.ClusterClass) Blueprint {
	return Blueprint{
		Class: NewClass(cc), Revision: string(cc.UID) + "/" + cc.ResourceVersion, Generation: cc.Generation,
		Composition: NewComposition(cc), Schema: NewSchema(cc), Effects: NewEffects(cc), Problems: Problems(cc), Unresolved: unresolved(cc),
	}
}

// Blocked tells whether something is wrong that keeps all clusters of the class
// from being built.
func (b Blueprint) Blocked() bool { return b.Unusable }

// WithMissing is the blueprint for somebody who knows which templates are not
// there, in place of the doubt about them.
func (b Blueprint) WithMissing(missing []Target) Blueprint {
	if len(missing) == 0 {
		return b
	}
	var found []Problem
	for _, t := range missing {
		found = append(found, Problem{
			Text:    message.New("catalog.problem.missing", message.Str("kind", t.Kind), message.Str("name", t.Name)),
			Meaning: message.New("catalog.problem.missing.meaning"),
			Blocks:  true,
		})
	}
	for _, p := range b.Problems {
		if p.Text.Key != problemTemplates {
			found = append(found, p)
		}
	}
	b.Problems, b.Troubles, b.Unusable = found, len(found), true
	return b
}

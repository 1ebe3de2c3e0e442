package catalog

import (
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Blueprint is everything about one class: what its page shows and what a form
// is made from.
type Blueprint struct {
	Class
	// Revision changes whenever anything about the class does.
	Revision    string
	Description string // what its owner says it is for; may be empty
	Generation  int64
	Composition Composition
	Schema      *Schema
	Effects     *Effects
	Problems    []Problem
}

// NewBlueprint reads a class as a whole.
func NewBlueprint(cc *clusterv1.ClusterClass) Blueprint {
	return Blueprint{
		Class: NewClass(cc), Revision: string(cc.UID) + "/" + cc.ResourceVersion, Generation: cc.Generation,
		Description: describedAs(cc.Annotations), Composition: NewComposition(cc), Schema: NewSchema(cc),
		Effects: NewEffects(cc), Problems: Problems(cc),
	}
}

// describedAs is an annotation named description, whoever owns its prefix; a
// ClusterClass has no field for it.
func describedAs(annotations map[string]string) string {
	for _, key := range sortedKeys(annotations) {
		if hintWord(key) == "description" {
			return annotations[key]
		}
	}
	return ""
}

// Blocked tells whether something is wrong that keeps all clusters of the class
// from being created.
func (b Blueprint) Blocked() bool { return b.Unusable }

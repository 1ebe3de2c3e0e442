package catalog

import (
	"fmt"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// wide repeats the class "every" until it has 500 variables.
func wide(b *testing.B) (*Schema, State) {
	cc := classFrom(b, "every.yaml")
	inline := cc.Spec.Variables
	for i := 0; len(cc.Spec.Variables) < 500; i++ {
		v := inline[i%len(inline)]
		v.Name = fmt.Sprintf("%s%d", v.Name, i)
		cc.Spec.Variables = append(cc.Spec.Variables, v)
	}
	schema := NewSchema(cc)
	var in []clusterv1.ClusterVariable
	for _, v := range schema.Variables {
		if v.Default != nil {
			set := clusterv1.ClusterVariable{Name: v.Name}
			set.Value.Raw = v.Default
			in = append(in, set)
		}
	}
	in = append(in, vars(b, `{"peers":[{"name":"a"},{"name":"b"}],"object":{"cidr":"10.0.0.0/8","inner":{"a.b":""}}}`)...)
	return schema, FromVariables(schema, "v", in)
}

func BenchmarkParse500(b *testing.B) {
	schema, state := wide(b)
	values := state.Values()
	for b.Loop() {
		Parse(schema, "v", values)
	}
}

func BenchmarkCheck500(b *testing.B) {
	schema, state := wide(b)
	checker := NewChecker(schema)
	checker.Check(b.Context(), state, nil)
	for b.Loop() {
		checker.Check(b.Context(), state, nil)
	}
}

func BenchmarkSchema500(b *testing.B) {
	cc := classFrom(b, "every.yaml")
	for b.Loop() {
		NewSchema(cc)
	}
}

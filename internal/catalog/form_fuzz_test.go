package catalog_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/testkit"
)

// FuzzForm: whatever the schema and the value, the form neither loses nor
// invents anything; whatever is submitted, nothing panics and the second
// reading says what the first said.
func FuzzForm(f *testing.F) {
	f.Add(`{"type":"string"}`, `"x"`, "v.x=y", uint64(1))
	f.Add(`{"type":"object","properties":{"a.b":{"type":"array","items":{"type":"integer"}}}}`, `{"a.b":[1,9007199254740993]}`, "v.x.a~2Eb.~i2=7&v.x.~set=1", uint64(2))
	f.Add(`{"type":"object","additionalProperties":{"x-kubernetes-preserve-unknown-fields":true}}`, `{"":null,"k":{"y":"yes"}}`, "v.x.~r0.~key=k&v.x.~r1=y", uint64(3))
	f.Add(`{"x-kubernetes-int-or-string":true,"default":"10%"}`, `"5"`, "v.x=5&v.~aside={}", uint64(4))
	f.Add(`{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"e":{"enum":[1,"1",{"a":null}]}}}`, `{"e":{"a":null},"z":"\u0000\r\n"}`, "v.x.~rest=a%3A+%5B1%5D", uint64(5))
	f.Fuzz(func(t *testing.T, schemaJSON, valueJSON, query string, seed uint64) {
		var props clusterv1.JSONSchemaProps
		if json.Unmarshal([]byte(schemaJSON), &props) != nil {
			return
		}
		schema := schemaOf(props)
		if canonicalValue, err := catalog.Canonical([]byte(valueJSON)); err == nil {
			roundTrip(t, schema, canonicalValue)
		}
		sampler := testkit.Sampler{Rand: rand.New(rand.NewPCG(seed, seed)), Full: seed%2 == 0} //nolint:gosec // a reproducible value
		if raw, err := json.Marshal(sampler.Value(schema.Variables[0].Field)); err == nil {
			roundTrip(t, schema, raw)
		}
		values, err := url.ParseQuery(query)
		if err == nil {
			readTwice(t, schema, values)
		}
	})
}

func schemaOf(props clusterv1.JSONSchemaProps) *catalog.Schema {
	no := false
	cc := &clusterv1.ClusterClass{}
	cc.Spec.Variables = []clusterv1.ClusterClassVariable{{
		Name: "x", Required: &no, Schema: clusterv1.VariableSchema{OpenAPIV3Schema: props},
	}}
	return catalog.NewSchema(cc)
}

// roundTrip carries a value through the form and through another class.
func roundTrip(t *testing.T, schema *catalog.Schema, raw []byte) {
	t.Helper()
	in := []clusterv1.ClusterVariable{{Name: "x"}}
	in[0].Value.Raw = raw
	state := catalog.Parse(schema, "v", catalog.FromVariables(schema, "v", in).Values())
	out, faults := state.Variables()
	if len(faults) > 0 {
		t.Fatalf("faults %v for %s", faults, raw)
	}
	if len(out) != 1 || !sameJSON(t, raw, out[0].Value.Raw) {
		t.Fatalf("%s became %+v", raw, out)
	}
	catalog.NewChecker(schema).Check(t.Context(), state, in)
	catalog.Lines(catalog.NewChecker(schema).Defaulted(state, true))
	state.Rebase(schemaOf(clusterv1.JSONSchemaProps{Type: "integer"})).Rebase(schema)
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	x, errA := catalog.Canonical(a)
	y, errB := catalog.Canonical(b)
	return errA == nil && errB == nil && string(x) == string(y)
}

// readTwice: what a browser sent reads the same after it was rendered.
func readTwice(t *testing.T, schema *catalog.Schema, values url.Values) {
	t.Helper()
	first := catalog.Parse(schema, "v", values)
	second := catalog.Parse(schema, "v", first.Values())
	if !maps.EqualFunc(first.Values(), second.Values(), slices.Equal) {
		t.Fatalf("%v\nbecame %v", first.Values(), second.Values())
	}
	for _, n := range first.Nodes {
		n.Walk(func(n *catalog.Node) {
			for _, verb := range []catalog.Verb{catalog.VerbSet, catalog.VerbUnset, catalog.VerbAdd, catalog.VerbYAML, catalog.VerbFields, catalog.VerbUp, catalog.VerbRemove} {
				if next, _, _, err := first.Do(catalog.Action{Verb: verb, Name: n.Name}); err == nil {
					next.Variables()
				}
			}
		})
	}
}

//go:build corpus

package catalog_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/testkit"
)

// Real classes, from the folder that CLUSTERCLASS_CORPUS names:
//
//	CLUSTERCLASS_CORPUS=DIR go test -tags corpus -run Corpus -v ./internal/catalog
//
// Classes in v1beta1 count only as converted; those in rejected/ need not work,
// but must not panic.

type tally struct{ classes, variables, fields, samples, valid, broken int }

func TestCorpus(t *testing.T) {
	var total tally
	for _, c := range testkit.Corpus(t) {
		t.Run(c.Name, func(t *testing.T) { total.class(t, c.Class, !c.Rejected) })
	}
	t.Logf("%+v", total)
}

func (n *tally) class(t *testing.T, cc *clusterv1.ClusterClass, strict bool) {
	catalog.NewEffects(cc)
	catalog.NewComposition(cc)
	catalog.Problems(cc)
	schema := catalog.NewSchema(cc)
	checker := catalog.NewChecker(schema)
	n.classes++
	n.variables += len(schema.Variables)
	for _, v := range schema.Variables {
		v.Walk(func(f *catalog.Field) {
			n.fields++
			if f.Kind == catalog.KindYAML && f.Type != "" && !f.Preserve {
				t.Errorf("%s has no control", f.Path)
			}
		})
		before := n.valid
		for i := range 12 {
			n.sample(t, schema, checker, v, i)
		}
		if strict && n.valid == before {
			t.Errorf("%s: no valid value was found", v.Name)
		}
	}
}

// sample makes one value, sends it through the form and breaks it in every way.
func (n *tally) sample(t *testing.T, schema *catalog.Schema, checker *catalog.Checker, v *catalog.Variable, i int) {
	value, ok := testkit.ValidValue(t.Context(), schema, checker, v, i)
	n.samples++
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	roundTripIn(t, schema, v.Name, raw)
	if !ok {
		return
	}
	n.valid++
	if i < 4 {
		n.breakAll(t, schema, checker, v, raw)
	}
}

func stateOf(schema *catalog.Schema, name string, raw []byte) catalog.State {
	in := []clusterv1.ClusterVariable{{Name: name}}
	in[0].Value.Raw = raw
	return catalog.Parse(schema, "v", catalog.FromVariables(schema, "v", in).Values())
}

func roundTripIn(t *testing.T, schema *catalog.Schema, name string, raw []byte) {
	t.Helper()
	out, faults := stateOf(schema, name, raw).Variables()
	if len(faults) > 0 || len(out) != 1 || !sameJSON(t, raw, out[0].Value.Raw) {
		t.Fatalf("%s: %s became %+v with %v", name, raw, out, faults)
	}
}

// breakAll breaks one rule at a time, wherever the value can be broken.
func (n *tally) breakAll(t *testing.T, schema *catalog.Schema, checker *catalog.Checker, v *catalog.Variable, raw []byte) {
	for broken := range testkit.EachBroken(stateOf(schema, v.Name, raw)) {
		n.broken++
		again := catalog.Parse(schema, "v", broken.State.Values())
		faults := checker.CheckOverrides(t.Context(), again, nil)
		if !hasFault(faults, broken.At) {
			t.Errorf("%s: no fault at %s, got %s", broken.What, broken.At, fmt.Sprint(faults))
		}
	}
}

func hasFault(faults []fail.Fault, at string) bool {
	for _, f := range faults {
		if f.Field == at || strings.HasPrefix(f.Field, at+".") {
			return true
		}
	}
	return false
}

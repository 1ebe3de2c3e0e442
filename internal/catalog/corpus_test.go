//go:build corpus

package catalog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/yaml"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/testkit"
)

// Real classes, from the folder that CAPSTAN_CORPUS names:
//
//	CAPSTAN_CORPUS=DIR go test -tags corpus -run Corpus -v ./internal/catalog
//
// Classes in v1beta1 count only as converted; those in rejected/ need not work,
// but must not panic.

type tally struct{ classes, variables, fields, samples, valid, broken int }

func TestCorpus(t *testing.T) {
	dir := os.Getenv("CAPSTAN_CORPUS")
	if dir == "" {
		t.Fatal("CAPSTAN_CORPUS names no folder of classes")
	}
	var total tally
	for _, sub := range []string{"", "converted", "rejected"} {
		files, err := filepath.Glob(filepath.Join(dir, sub, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, ".templates.yaml") || strings.HasSuffix(file, ".cluster.yaml") {
				continue
			}
			for _, cc := range classesIn(t, file) {
				t.Run(filepath.Join(sub, filepath.Base(file)), func(t *testing.T) { total.class(t, cc, sub != "rejected") })
			}
		}
	}
	t.Logf("%+v", total)
}

func classesIn(t *testing.T, file string) []*clusterv1.ClusterClass {
	t.Helper()
	raw, err := os.ReadFile(file) //nolint:gosec // the corpus
	if err != nil {
		t.Fatal(err)
	}
	var out []*clusterv1.ClusterClass
	for _, doc := range bytes.Split(raw, []byte("\n---")) {
		var cc clusterv1.ClusterClass
		if yaml.Unmarshal(doc, &cc) == nil && cc.Kind == "ClusterClass" && cc.APIVersion == clusterv1.GroupVersion.String() {
			out = append(out, &cc)
		}
	}
	return out
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
	value, faults := tryValid(t, schema, checker, v, i)
	n.samples++
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	roundTripIn(t, schema, v.Name, raw)
	if len(faults) > 0 {
		return
	}
	n.valid++
	if i < 4 {
		n.breakAll(t, schema, checker, v, raw)
	}
}

// tryValid tries for a value without faults.
func tryValid(t *testing.T, schema *catalog.Schema, checker *catalog.Checker, v *catalog.Variable, i int) (any, []fail.Fault) {
	var value any
	var faults []fail.Fault
	for try := range 60 {
		s := testkit.Sampler{Rand: rand.New(rand.NewPCG(uint64(i), uint64(try))), Full: i%3 == 0, Lean: i%3 == 1 || try > 30} //nolint:gosec // reproducible
		value = s.Value(v.Field)
		if faults = faultsOf(t, schema, checker, v.Name, value); len(faults) == 0 {
			break
		}
	}
	return value, faults
}

func faultsOf(t *testing.T, schema *catalog.Schema, checker *catalog.Checker, name string, value any) []fail.Fault {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return checker.CheckOverrides(t.Context(), stateOf(schema, name, raw), nil)
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
	state := stateOf(schema, v.Name, raw)
	top := state.Variable(v.Name)
	top.Walk(func(node *catalog.Node) {
		if !node.Set || node.Raw {
			return
		}
		for _, b := range breaksOf(node.Field) {
			broken := state.Clone()
			at := broken.Node(node.Name)
			want := b.apply(at)
			if want == "" {
				continue
			}
			n.broken++
			again := catalog.Parse(schema, "v", broken.Values())
			faults := checker.CheckOverrides(t.Context(), again, nil)
			if !hasFault(faults, want) {
				t.Errorf("%s %s: no fault at %s, got %s", node.Name, b.name, want, fmt.Sprint(faults))
			}
		}
	})
}

func hasFault(faults []fail.Fault, at string) bool {
	for _, f := range faults {
		if f.Field == at || strings.HasPrefix(f.Field, at+".") {
			return true
		}
	}
	return false
}

package testkit

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/yaml"

	"github.com/capstan-portal/capstan/internal/catalog"
)

// CorpusEnv names the variable that holds the path of a folder of real
// ClusterClasses, one or more a file. Those in its subfolder "converted" were
// converted from v1beta1, those in "rejected" are refused by the API.
const CorpusEnv = "CLUSTERCLASS_CORPUS"

// CorpusClass is one class of the corpus.
type CorpusClass struct {
	Name  string // of its file
	Class *clusterv1.ClusterClass
	// Rejected: the API refuses it. It must do no harm, more is not asked.
	Rejected bool
}

// Corpus reads all classes in v1beta2 of the folder that CorpusEnv names.
func Corpus(t testing.TB) []CorpusClass {
	t.Helper()
	dir := os.Getenv(CorpusEnv)
	if dir == "" {
		t.Fatalf("there is no corpus: %s must name a folder of ClusterClasses", CorpusEnv)
	}
	var out []CorpusClass
	for _, sub := range []string{"", "converted", "rejected"} {
		files, err := filepath.Glob(filepath.Join(dir, sub, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, ".templates.yaml") || strings.HasSuffix(file, ".cluster.yaml") {
				continue
			}
			for _, cc := range ReadClasses(t, file) {
				out = append(out, CorpusClass{filepath.Join(sub, filepath.Base(file)), cc, sub == "rejected"})
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s holds no ClusterClass", dir)
	}
	return out
}

// ReadClasses reads the ClusterClasses in v1beta2 of a file.
func ReadClasses(t testing.TB, file string) []*clusterv1.ClusterClass {
	t.Helper()
	raw, err := os.ReadFile(file) //nolint:gosec // the test's own
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

// ValidValue makes the i-th value of a variable that breaks no rule: every third
// with all that is optional, every third with none of it. ok is false where
// chance found none.
func ValidValue(ctx context.Context, schema *catalog.Schema, checker *catalog.Checker, v *catalog.Variable, i int) (value any, ok bool) {
	if i%3 == 0 {
		if value, ok = mended(ctx, schema, checker, v, i); ok {
			return value, true
		}
	}
	for try := range 200 {
		s := Sampler{Rand: rand.New(rand.NewPCG(uint64(i), uint64(try))), Full: i%3 == 0 && try < 30, Lean: i%3 == 1 && try < 30 || try > 100} //nolint:gosec // reproducible
		value = s.Value(v.Field)
		state, err := stateWith(schema, v, value)
		if err != nil {
			return value, false
		}
		if len(checker.CheckOverrides(ctx, state, nil)) == 0 {
			return value, true
		}
	}
	return value, false
}

func stateWith(schema *catalog.Schema, v *catalog.Variable, value any) (catalog.State, error) {
	raw, err := json.Marshal(value)
	in := []clusterv1.ClusterVariable{{Name: v.Name}}
	in[0].Value.Raw = raw
	return catalog.Parse(schema, "v", catalog.FromVariables(schema, "v", in).Values()), err
}

// mended is a value with all that is optional, less what breaks a rule: where
// there are many rules, chance alone never finds one that is nearly full.
func mended(ctx context.Context, schema *catalog.Schema, checker *catalog.Checker, v *catalog.Variable, i int) (any, bool) {
	s := Sampler{Rand: rand.New(rand.NewPCG(uint64(i), 1<<40)), Full: true} //nolint:gosec // reproducible
	state, err := stateWith(schema, v, s.Value(v.Field))
	for range 100 {
		faults := checker.CheckOverrides(ctx, state, nil)
		if err != nil || !state.Variable(v.Name).Set {
			return nil, false
		}
		if len(faults) == 0 {
			variables, _ := state.Variables()
			return decodeNumber(variables[0].Value.Raw)
		}
		state = without(state, faults[0].Field)
	}
	return nil, false
}

// without forgets the innermost part around an input that may be missing.
func without(state catalog.State, input string) catalog.State {
	for n := state.Node(input); n != nil; {
		verb := catalog.VerbUnset
		if n.IsRow {
			verb = catalog.VerbRemove
		}
		next, _, fault, err := state.Do(catalog.Action{Verb: verb, Name: n.Name})
		if err == nil && fault == nil && n.Set && (n.IsRow || !n.Field.Required) {
			return next
		}
		end := strings.LastIndexByte(n.Name, '.')
		if end <= len(state.Prefix) {
			return next // the variable itself
		}
		n = state.Node(n.Name[:end])
	}
	return state
}

// AnyValue makes the i-th value of a variable, whether it breaks rules or not.
func AnyValue(v *catalog.Variable, i int) any {
	s := Sampler{Rand: rand.New(rand.NewPCG(uint64(i), 1<<32)), Full: i%3 == 0, Lean: i%3 == 1} //nolint:gosec // reproducible
	return s.Value(v.Field)
}

// Replace gives one variable of a form another value.
func Replace(state catalog.State, name string, raw []byte) catalog.State {
	out := state.Clone()
	in := []clusterv1.ClusterVariable{{Name: name}}
	in[0].Value.Raw = raw
	*out.Variable(name) = *catalog.FromVariables(state.Schema, state.Prefix, in).Variable(name)
	return out
}

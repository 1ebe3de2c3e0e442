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
	for try := range 200 {
		s := Sampler{Rand: rand.New(rand.NewPCG(uint64(i), uint64(try))), Full: i%3 == 0 && try < 30, Lean: i%3 == 1 && try < 30 || try > 100} //nolint:gosec // reproducible
		value = s.Value(v.Field)
		raw, err := json.Marshal(value)
		if err != nil {
			return value, false
		}
		in := []clusterv1.ClusterVariable{{Name: v.Name}}
		in[0].Value.Raw = raw
		state := catalog.Parse(schema, "v", catalog.FromVariables(schema, "v", in).Values())
		if len(checker.CheckOverrides(ctx, state, nil)) == 0 {
			return value, true
		}
	}
	return value, false
}

package binaries

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"
)

// extension is a program that few sandboxes run: it is built when it is first
// asked for. Everything that it is made of is in the set's key already.
func extension() program {
	return program{"test-extension", "sigs.k8s.io/cluster-api/test/extension", stripped, 1}
}

// EnsureExtension adds Cluster API's test extension to a complete set. Progress
// goes to out.
func EnsureExtension(ctx context.Context, set Set, out io.Writer) error {
	p := extension()
	if exists(set.Path(p.name)) {
		return nil
	}
	unlock, err := lock(ctx, set.dir+".lock", out)
	if err != nil {
		return err
	}
	defer unlock()
	if exists(set.Path(p.name)) { // another sandbox built it while this one waited
		return nil
	}
	b := builder{set: set, work: filepath.Join(set.dir, "work"), out: out}
	if !exists(filepath.Join(b.work, "go.mod")) {
		if err := b.prepare(ctx); err != nil {
			return err
		}
	}
	start := time.Now()
	fmt.Fprintf(out, "building %s, once per machine: about a minute\n", p.name)
	if err := b.build(ctx, p); err != nil {
		return err
	}
	fmt.Fprintf(out, "built in %s\n", time.Since(start).Round(time.Second))
	return nil
}

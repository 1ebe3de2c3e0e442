package binaries

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Ensure returns the programs, building what is missing. Progress goes to out,
// one line per step.
func Ensure(ctx context.Context, assets string, out io.Writer) (Set, error) {
	set, err := Locate(assets)
	if err != nil {
		return Set{}, err
	}
	if err := checkAssets(assets); err != nil {
		return Set{}, err
	}
	if set.complete() {
		return set, nil
	}
	unlock, err := lock(ctx, set.dir+".lock", out)
	if err != nil {
		return Set{}, err
	}
	defer unlock()
	if set.complete() { // another sandbox built it while this one waited
		return set, nil
	}
	b := builder{set: set, work: filepath.Join(set.dir, "work"), out: out}
	return set, b.run(ctx)
}

// checkAssets refuses a KUBEBUILDER_ASSETS that can't serve.
func checkAssets(dir string) error {
	if dir == "" {
		return nil
	}
	for _, name := range []string{"etcd", "kube-apiserver"} {
		if !exists(filepath.Join(dir, name)) {
			return fmt.Errorf("KUBEBUILDER_ASSETS is %s, but there is no %s in it", dir, name)
		}
	}
	return nil
}

type builder struct {
	set  Set
	work string // a module that pins the programs' versions
	out  io.Writer
}

func (b builder) run(ctx context.Context) error {
	if err := b.prepare(ctx); err != nil {
		return err
	}
	todo := b.missing()
	minutes := 0
	for _, p := range todo {
		minutes += p.minutes
	}
	cores := max(1, min(runtime.NumCPU(), 4))
	fmt.Fprintf(b.out, "building the management cluster's %d programs, once per machine: about %d minutes on %d cores\n", len(todo), (minutes+cores-1)/cores, cores)
	start := time.Now()
	for i, p := range todo {
		fmt.Fprintf(b.out, "[%d/%d] %s (%s so far)\n", i+1, len(todo), p.name, time.Since(start).Round(time.Second))
		if err := b.build(ctx, p); err != nil {
			return err
		}
	}
	fmt.Fprintf(b.out, "built in %s: %s\n", time.Since(start).Round(time.Second), b.set.dir)
	return os.WriteFile(filepath.Join(b.set.dir, "complete"), nil, 0o644)
}

func (b builder) missing() []program {
	var todo []program
	for _, p := range programs() {
		if !exists(b.set.Path(p.name)) {
			todo = append(todo, p)
		}
	}
	return todo
}

// prepare writes the module, fetches the upstream sources and copies the
// manifests out of them.
func (b builder) prepare(ctx context.Context) error {
	for _, dir := range []string{b.work, b.set.Bin()} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return explain("the cache", err, "")
		}
	}
	for from, to := range map[string]string{"upstream.mod": "go.mod", "upstream.sum": "go.sum"} {
		content, err := pins.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(b.work, to), content, 0o644); err != nil {
			return explain(to, err, "")
		}
	}
	fmt.Fprintln(b.out, "fetching the manifests of Cluster API")
	if _, err := b.goTool(ctx, "the sources", "mod", "download", capiModule, testModule); err != nil {
		return err
	}
	provider, err := b.copyManifests(ctx)
	if err != nil {
		return err
	}
	return writeCapd(b.work, provider)
}

// build builds one program under a temporary name: an interrupted build never
// leaves half a program behind.
func (b builder) build(ctx context.Context, p program) error {
	temporary := filepath.Join(b.set.dir, p.name+".building")
	if _, err := b.goTool(ctx, p.name, "build", "-mod=mod", "-trimpath", "-ldflags", p.ldflags, "-o", temporary, p.pkg); err != nil {
		return err
	}
	return explain(p.name, os.Rename(temporary, filepath.Join(b.set.Bin(), p.name)), "")
}

func (b builder) goTool(ctx context.Context, what string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = b.work
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	if ctx.Err() != nil {
		return "", errors.New("the build was interrupted; the next one goes on where it ended")
	}
	return strings.TrimSpace(string(stdout)), explain(what, err, stderr.String())
}

package binaries

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestKeyIsStableAndTellsAssetsApart(t *testing.T) {
	own, err := key(false)
	if err != nil {
		t.Fatal(err)
	}
	again, err := key(false)
	if err != nil {
		t.Fatal(err)
	}
	assets, err := key(true)
	if err != nil {
		t.Fatal(err)
	}
	if own != again {
		t.Errorf("the same build has two keys: %s, %s", own, again)
	}
	if own == assets {
		t.Error("a build without etcd and kube-apiserver shares its key with one that has them")
	}
}

// Whoever has built the programs once must not build them again for a program
// that is built on demand.
func TestExtensionIsApart(t *testing.T) {
	for _, p := range programs() {
		if p.name == extension().name {
			t.Errorf("%s is among the programs that every sandbox builds", p.name)
		}
	}
	set := Set{dir: t.TempDir()}
	if err := os.MkdirAll(set.Bin(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(set.Path(extension().name), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := EnsureExtension(t.Context(), set, &strings.Builder{}); err != nil {
		t.Errorf("it is there and was built again: %v", err)
	}
}

func TestAssetsReplaceEtcdAndAPIServer(t *testing.T) {
	s := Set{dir: "/cache", assets: "/assets"}
	for name, want := range map[string]string{
		"etcd": "/assets/etcd", "kube-apiserver": "/assets/kube-apiserver", "kcp": "/cache/bin/kcp",
	} {
		if got := s.Path(name); got != want {
			t.Errorf("%s is at %s, want %s", name, got, want)
		}
	}
}

func TestAssetsWithoutPrograms(t *testing.T) {
	_, err := Ensure(t.Context(), t.TempDir(), &strings.Builder{})
	if err == nil || !strings.Contains(err.Error(), "there is no etcd in it") {
		t.Errorf("got %v", err)
	}
}

func TestOnlyOneBuildsAtATime(t *testing.T) {
	file := filepath.Join(t.TempDir(), "build.lock")
	unlock, err := lock(t.Context(), file, &strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := lock(ctx, file, &said); err == nil {
		t.Fatal("two builds at a time")
	}
	if !strings.Contains(said.String(), "another sandbox is building") {
		t.Errorf("said %q", said.String())
	}
	unlock()
	second, err := lock(t.Context(), file, &said)
	if err != nil {
		t.Fatal(err)
	}
	second()
}

func TestCapdIsPatchedExactlyOnce(t *testing.T) {
	for name, source := range map[string]string{
		"gone": "package main\n", "twice": original + "\n" + original + "\n",
	} {
		provider := t.TempDir()
		if err := os.WriteFile(filepath.Join(provider, "main.go"), []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := writeCapd(t.TempDir(), provider); err == nil || !strings.Contains(err.Error(), "has changed") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

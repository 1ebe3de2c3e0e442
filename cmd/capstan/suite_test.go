//go:build sandbox

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// What the tests of the whole program share: the program itself, built once
// with the race detector, one portal for those that don't restart or configure
// it, and one Chromium.
var (
	program  string
	shared   sharedSite
	browsers testkit.Browsers
)

// atOnce is how many tests run at a time: they mostly wait for controllers.
const atOnce = "4"

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "capstan")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "capstan")
	flag.Parse()
	build := exec.Command("go", "build", "-race="+strconv.FormatBool(!benchmarking()), "-o", program, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build of the portal:", err)
		return 1
	}
	if err := flag.Set("test.parallel", atOnce); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer browsers.Close()
	shared.dir = dir
	code := m.Run()
	if err := shared.end(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// benchmarking says whether this run measures: then without the race detector.
func benchmarking() bool { return flag.Lookup("test.bench").Value.String() != "" }

// eventually waits for a condition, two minutes at most.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	if !within(2*time.Minute, condition) {
		t.Fatalf("waited two minutes in vain: %s", what)
	}
}

// within says whether a condition came true in time.
func within(limit time.Duration, condition func() bool) bool {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
	return true
}

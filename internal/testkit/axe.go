//go:build sandbox

package testkit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// axeRules are the rule sets that every page must satisfy.
const axeRules = `["wcag2a","wcag2aa","wcag21a","wcag21aa","wcag22aa","best-practice"]`

// Axe runs axe-core on the page and fails the test for each violation. Rows that
// went meanwhile are left out: they are dimmed, as what can't be used is.
func Axe(t *testing.T, page playwright.Page) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(Root(t), "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatalf("axe-core is missing (run `make test`): %v", err)
	}
	if _, err := page.Evaluate(string(source)); err != nil {
		t.Fatalf("load axe: %v", err)
	}
	got, err := page.Evaluate(`async () => JSON.stringify((await axe.run({exclude: [[".is-gone"]]},
		{runOnly: {type: "tag", values: ` + axeRules + `}})).violations
		.map(v => ({id: v.id, help: v.help, nodes: v.nodes.map(n => n.html + " — " + n.failureSummary)})))`)
	if err != nil {
		t.Fatalf("run axe: %v", err)
	}
	var violations []struct {
		ID, Help string
		Nodes    []string
	}
	if err := json.Unmarshal([]byte(got.(string)), &violations); err != nil {
		t.Fatalf("axe's answer: %v", err)
	}
	for _, v := range violations {
		t.Errorf("axe %s on %s: %s\n  %s", v.ID, page.URL(), v.Help, strings.Join(v.Nodes, "\n  "))
	}
}

// Root is the folder of the project's go.mod.
func Root(t *testing.T) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..")
}

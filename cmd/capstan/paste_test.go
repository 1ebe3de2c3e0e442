//go:build sandbox

package main

import (
	"strings"
	"testing"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// A manifest with a part that the form has no input for, and a slip.
const pasted = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: pasted, namespace: NAMESPACE}
spec:
  paused: true
  topology:
    classRef: {name: nested, namespace: NAMESPACE}
    version: v1.34.2
    controlPlane: {replicas: 1, deletion: {nodeDrainTimeoutSeconds: 60}}
    variables: [{name: net, value: {peers: [{cidr: 10.0.0.0/16}]}}]
    sizes: 3
`

// On a phone, in Chinese: a cluster from a pasted manifest with a slip in it,
// and another one like it from its page.
func TestCreateFromManifestAndClone(t *testing.T) {
	t.Parallel()
	w := newNested(t)
	p := startPortal(t)
	tb := openTab(t, testkit.Look{Width: 390, Locale: "zh-CN"})
	tb.signIn(p.URL+"/create/manifest", "team-a-dev")
	slip := strings.ReplaceAll(pasted, "NAMESPACE", w.Namespace)
	tb.must(tb.Locator("main textarea").Fill(slip))
	tb.click("main button[type=submit]")
	tb.seesText("main", "第 11 行：Cluster 没有字段 spec.topology.sizes。")
	tb.must(tb.expect.Locator(tb.Locator("main textarea")).ToHaveValue(slip))
	testkit.Axe(t, tb.Page)

	tb.must(tb.Locator("main textarea").Fill(strings.ReplaceAll(slip, "    sizes: 3\n", "")))
	tb.click("main button[type=submit]")
	tb.seesText("main", "nodeDrainTimeoutSeconds: 60")
	tb.must(tb.expect.Locator(tb.Locator("#name")).ToHaveValue("pasted"))
	tb.must(tb.expect.Locator(tb.Locator(`[id="v.net.peers.~i0.cidr"]`)).ToHaveValue("10.0.0.0/16"))
	tb.narrow()
	testkit.Axe(t, tb.Page)
	tb.click("[data-create-now]")
	tb.seesText("h1", "pasted")
	if got := drainTimeout(w, "pasted"); got != 60 {
		t.Errorf("the control plane's drain timeout is %d, want the manifest's 60", got)
	}

	tb.click(`a:has-text("以此为模板创建")`)
	tb.must(tb.Locator("#name").Fill("copied"))
	tb.seesText("main", "nodeDrainTimeoutSeconds: 60")
	tb.seesText("aside", "准入检查通过")
	tb.must(tb.expect.Locator(tb.Locator("#create")).Not().ToHaveAttribute("aria-busy", "true"))
	tb.narrow()
	testkit.Axe(t, tb.Page)
	tb.click("[data-create-now]")
	tb.seesText("h1", "copied")
	if got := drainTimeout(w, "copied"); got != 60 {
		t.Errorf("the copy's drain timeout is %d, want 60", got)
	}
}

// narrow fails when the page is wider than the window.
func (tb *tab) narrow() {
	tb.t.Helper()
	if tb.eval(`document.documentElement.scrollWidth <= innerWidth`) != "true" {
		tb.t.Errorf("%s scrolls sideways", tb.URL())
	}
}

func drainTimeout(w *testkit.World, cluster string) int64 {
	spec, _ := w.Get("Cluster", cluster).Object["spec"].(map[string]any)
	topology, _ := spec["topology"].(map[string]any)
	controlPlane, _ := topology["controlPlane"].(map[string]any)
	deletion, _ := controlPlane["deletion"].(map[string]any)
	seconds, _ := deletion["nodeDrainTimeoutSeconds"].(int64)
	return seconds
}

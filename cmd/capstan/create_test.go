//go:build sandbox

package main

import (
	"context"
	"regexp"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// A class with a nested list, for the form; its machines never come.
const nested = `apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: nested, namespace: NAMESPACE}
spec:
  controlPlane:
    templateRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlaneTemplate, name: quick}
    machineInfrastructure:
      templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: DevMachineTemplate, name: never}
  infrastructure:
    templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: DevClusterTemplate, name: quick}
  kubernetesVersions: [v1.34.2]
  variables:
    - {name: ca, required: false, schema: {openAPIV3Schema: {type: string}}}
    - name: net
      required: false
      schema:
        openAPIV3Schema:
          type: object
          properties:
            peers:
              type: array
              maxItems: 4
              items:
                type: object
                required: [cidr]
                properties:
                  cidr: {type: string, format: cidr}
                  ports: {type: array, items: {type: integer, minimum: 1, maximum: 65535}}`

func (tb *tab) press(keys ...string) {
	tb.t.Helper()
	for _, key := range keys {
		tb.must(tb.Keyboard().Press(key))
	}
}

// tabTo presses Tab until the element has the focus.
func (tb *tab) tabTo(selector string) {
	tb.t.Helper()
	for range 120 {
		if tb.eval(`document.activeElement.matches(`+quoted(selector)+`)`) == "true" {
			return
		}
		tb.press("Tab")
	}
	tb.t.Fatalf("Tab never reaches %s", selector)
}

func quoted(s string) string { return "`" + s + "`" }

func newNested(t *testing.T) *testkit.World {
	t.Helper()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Apply(nested)
	w.Until("class nested has variables", func(context.Context) bool {
		status, _ := w.Get("ClusterClass", "nested").Object["status"].(map[string]any)
		return status["variables"] != nil
	})
	return w
}

// From the class's page to a cluster by keyboard alone, with a mistake deep in a
// list on the way.
func TestCreateByKeyboard(t *testing.T) {
	t.Parallel()
	w := newNested(t)
	p := startPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/catalog/"+w.Namespace+"/nested", "team-a-dev")
	tb.seesText("#class-vars", "peers")
	testkit.Axe(t, tb.Page)
	tb.tabTo(`a[href*="/create/"]`)
	tb.press("Enter")
	tb.seesText("h1", "Create a cluster")
	tb.tabTo("#name")
	tb.must(tb.Keyboard().Type("typed"))
	tb.tabTo("#namespace")
	// Not typed: a select takes the letters of one word only as fast as they come.
	_, err := tb.Locator("#namespace").SelectOption(playwright.SelectOptionValues{Values: &[]string{w.Namespace}})
	tb.must(err)
	tb.tabTo("#cp")
	tb.must(tb.Keyboard().Type("1"))
	tb.tabTo(`button[value="set v.net"]`)
	tb.press("Enter")
	tb.tabTo(`button[value="add v.net.peers"]`)
	tb.press("Enter")
	cidr := `[id="v.net.peers.~i0.cidr"]`
	tb.must(tb.expect.Locator(tb.Locator(cidr)).ToBeFocused())
	tb.must(tb.Keyboard().Type("10.0.0.0"))
	tb.tabTo("[data-create-now]")
	tb.press("Enter")
	tb.must(tb.expect.Locator(tb.Locator("#problems")).ToBeFocused())
	tb.seesText("#problems", "net.peers[0].cidr")
	testkit.Axe(t, tb.Page)
	tb.tabTo("#problems a")
	tb.press("Enter")
	tb.must(tb.expect.Locator(tb.Locator(cidr)).ToHaveAttribute("aria-invalid", "true"))
	tb.tabTo(cidr)
	tb.press("End")
	tb.must(tb.Keyboard().Type("/16"))
	tb.seesText("aside", "Admission accepts it")
	tb.tabTo("[data-create-now]")
	tb.press("Enter")
	tb.seesText("h1", "typed")
	spec, _ := w.Get("Cluster", "typed").Object["spec"].(map[string]any)
	if spec["topology"] == nil {
		t.Error("the cluster has no topology")
	}
}

// Without JavaScript: rows by submit buttons, then create.
func TestCreateWithoutScript(t *testing.T) {
	t.Parallel()
	w := newNested(t)
	p := startPortal(t)
	tb := openTab(t, testkit.Look{NoScript: true, Width: 390})
	tb.signIn(p.URL+"/create/"+w.Namespace+"/nested?namespace="+w.Namespace, "team-a-dev")
	tb.must(tb.Locator("#name").Fill("plain"))
	tb.must(tb.Locator("#cp").Fill("1"))
	tb.click(`button[value="set v.net"]`)
	tb.click(`button[value="add v.net.peers"]`)
	tb.must(tb.Locator(`[id="v.net.peers.~i0.cidr"]`).Fill("10.0.0.0/16"))
	tb.click(`button[value="add v.net.peers.~i0.ports"]`)
	tb.must(tb.Locator(`[id="v.net.peers.~i0.ports.~i0"]`).Fill("80"))
	tb.click("[data-create-now]")
	tb.seesText("h1", "plain")
}

// On a phone nothing makes the page wider than it is.
func TestCreateOnAPhone(t *testing.T) {
	t.Parallel()
	w := newNested(t)
	p := startPortal(t)
	tb := openTab(t, testkit.Look{Width: 390})
	for _, path := range []string{"/catalog/" + w.Namespace + "/nested", "/create/" + w.Namespace + "/nested"} {
		if path[1:4] == "cat" {
			tb.signIn(p.URL+path, "team-a-dev")
		} else {
			tb.open(p.URL + path)
		}
		if got := tb.eval(`document.documentElement.scrollWidth <= 390`); got != "true" {
			t.Errorf("%s scrolls sideways", path)
		}
		testkit.Axe(t, tb.Page)
	}
	tb.pasteLines()
	// Another language keeps what was typed.
	tb.click("[data-prefer] button[name=lang]")
	tb.must(tb.expect.Locator(tb.Locator("html")).ToHaveAttribute("lang", "zh-Hans"))
	tb.must(tb.expect.Locator(tb.Locator(`textarea[id="v.ca"]`)).ToHaveValue("BEGIN\nEND\n"))
}

// pasteLines pastes a text of two lines into an input of one line: none is
// joined to the other, in the input as in the manifest.
func (tb *tab) pasteLines() {
	tb.t.Helper()
	eventually(tb.t, "the input makes room for two lines", func() bool {
		return tb.eval(`(() => {
			const pasted = new DataTransfer()
			pasted.setData('text/plain', 'BEGIN\r\nEND\r\n')
			const paste = new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true })
			return !document.getElementById('v.ca').dispatchEvent(paste)
		})()`) == "true"
	})
	tb.must(tb.expect.Locator(tb.Locator(`textarea[id="v.ca"]`)).ToHaveValue("BEGIN\nEND\n"))
	tb.must(tb.expect.Locator(tb.Locator("#create-yaml")).ToHaveValue(regexp.MustCompile(`BEGIN\n\s+END`)))
}

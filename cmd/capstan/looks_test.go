//go:build sandbox

package main

import (
	"fmt"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// checked is a page in a state, and how to get there from anywhere.
type checked struct {
	name string
	open func(tb *tab)
}

// fits fails the test when the page can be scrolled sideways.
func (tb *tab) fits() {
	tb.t.Helper()
	if wide := tb.eval(`document.scrollingElement.scrollWidth - innerWidth`); wide != "0" && wide[0] != '-' {
		tb.t.Errorf("%s is %s px too wide; widest: %s", tb.URL(), wide, tb.eval(`[...document.querySelectorAll("main *, header *")]
			.filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map(e => e.tagName + "." + e.className).join(" | ")`))
	}
}

// inspect looks at the page as it stands with axe, in English wide and light,
// in Chinese narrow and dark; in both it must fit a telephone.
func (tb *tab) inspect(lang string) {
	tb.t.Helper()
	tb.must(tb.expect.Locator(tb.Locator("html")).ToHaveAttribute("lang", lang))
	if lang == "en" {
		testkit.Axe(tb.t, tb.Page)
	}
	tb.must(tb.SetViewportSize(390, 844))
	tb.must(tb.EmulateMedia(playwright.PageEmulateMediaOptions{ColorScheme: playwright.ColorSchemeDark}))
	if lang != "en" {
		testkit.Axe(tb.t, tb.Page)
	}
	tb.fits()
	tb.must(tb.EmulateMedia(playwright.PageEmulateMediaOptions{ColorScheme: playwright.ColorSchemeLight}))
	tb.must(tb.SetViewportSize(1440, 900))
}

// post sends a form that the page doesn't have.
func (tb *tab) post(action string, fields map[string]string) {
	tb.t.Helper()
	inputs := map[string]any{}
	for name, value := range fields {
		inputs[name] = value
	}
	_, err := tb.ExpectNavigation(func() error { //nolint:staticcheck // the address may be the same again, so WaitForURL can't tell
		_, err := tb.Evaluate(`({action, fields}) => {
			const form = document.body.appendChild(Object.assign(document.createElement("form"), {method: "post", action}))
			for (const [name, value] of Object.entries(fields)) form.append(Object.assign(document.createElement("input"), {name, value}))
			form.submit()
		}`, map[string]any{"action": action, "fields": inputs})
		return err
	})
	tb.must(err)
}

// statesOfClusters makes a cluster in each state that looks different, and
// gives their names.
func statesOfClusters(w *testkit.World) []string {
	w.Cluster("fine", "md-0=2")
	w.Cluster("slow", "md-0=2/never", "md-1=0")
	w.Paused("paused", "md-0=3")
	w.Apply(`
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: autoscaled, namespace: NAMESPACE}
spec:
  paused: true
  topology:
    classRef: {name: quick}
    version: v1.34.2
    controlPlane: {replicas: 1}
    workers:
      machineDeployments:
      - name: md-0
        class: quick
        metadata: {annotations: {cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "1", cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "5"}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: byhand, namespace: NAMESPACE}
spec:
  paused: true
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: byhand}
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: byhand}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: byhand-workers, namespace: NAMESPACE, labels: {cluster.x-k8s.io/cluster-name: byhand}}
spec:
  clusterName: byhand
  replicas: 2
  selector: {matchLabels: {pool: byhand}}
  template:
    metadata: {labels: {pool: byhand}}
    spec:
      clusterName: byhand
      version: v1.34.2
      bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: quick}}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachineTemplate, name: quick}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: leaving, namespace: NAMESPACE, finalizers: [example.com/keep]}
spec:
  paused: true
  topology:
    classRef: {name: quick}
    version: v1.34.2
    controlPlane: {replicas: 1}
    workers: {machineDeployments: [{name: md-0, class: quick, replicas: 1}]}`)
	w.AskDelete("Cluster", "leaving")
	return []string{"fine", "slow", "paused", "autoscaled", "byhand", "leaving"}
}

// pagesToCheck is every page in every state that looks different.
func pagesToCheck(url string, w *testkit.World, clusters []string) []checked {
	at := func(path string) func(tb *tab) { return func(tb *tab) { tb.open(url + path) } }
	pages := []checked{
		{"list", at("/?ns=" + w.Namespace)}, {"empty list", at("/?q=no-such-cluster")},
		{"catalogue", at("/catalog")}, {"empty catalogue", at("/catalog?q=no-such-class")}, {"me", at("/me")},
		{"404", at("/clusters/nowhere/nothing")}, {"signed out", at("/auth/signed-out")},
	}
	for _, name := range clusters {
		pages = append(pages, checked{"cluster " + name, at("/clusters/" + w.Namespace + "/" + name)})
	}
	cluster := "/clusters/" + w.Namespace + "/paused"
	draft := func(n, sees string) func(tb *tab) {
		return func(tb *tab) {
			tb.open(url + cluster)
			tb.must(tb.Locator(number).Fill(n))
			tb.seesText("#pending", sees)
		}
	}
	scale := func(fields map[string]string) func(tb *tab) {
		return func(tb *tab) {
			tb.open(url + cluster)
			tb.post(url+cluster+"/scale/machine-deployment/md-0", fields)
		}
	}
	uid := string(w.Get("Cluster", "paused").GetUID())
	return append(pages, checked{"draft", draft("5", "8")},
		checked{"draft to zero", draft("0", "md-0")}, checked{"refused draft", draft("-1", "-1")},
		checked{"422 with page", scale(map[string]string{"uid": uid, "seen": "3", "replicas": "-1", "do": "apply"})},
		checked{"422", scale(map[string]string{"replicas": "4"})},
		checked{"conflict", scale(map[string]string{"uid": uid, "seen": "2", "replicas": "6", "do": "apply"})},
		checked{"409", scale(map[string]string{"uid": "other", "seen": "3", "replicas": "6", "do": "apply"})},
	)
}

// Every page and every state of it: axe finds nothing, wide and light in
// English, narrow and dark in Chinese, and nothing is wider than a telephone.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	clusters := statesOfClusters(w)
	p := sharedPortal(t)
	w.Available("fine")
	for locale, lang := range map[string]string{"en-GB": "en", "zh-CN": "zh-Hans"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			tb := openTab(t, testkit.Look{Locale: locale})
			tb.signIn(p.URL+"/", "team-a-dev")
			for _, page := range pagesToCheck(p.URL, w, clusters) {
				if lang != "en" && page.name == "draft" {
					continue // its words are looked for in English
				}
				t.Run(page.name, func(t *testing.T) {
					part := tb.in(t)
					page.open(part)
					part.inspect(lang)
				})
			}
			t.Run("401", func(t *testing.T) {
				part := tb.in(t)
				part.open(p.URL + "/me")
				part.line("live") // a page without a session goes to the sign-in when it connects
				part.must(part.Context().ClearCookies())
				part.post(p.URL+"/clusters/a/b/scale/machine-deployment/c", map[string]string{"uid": "x", "seen": "3", "replicas": "6", "do": "apply"})
				part.inspect(lang)
			})
		})
	}
}

// What only others see: somebody who may look but not touch, and somebody who
// may see nothing at all.
func TestPagesOfOthers(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Paused("look", "md-0=3")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	path := p.URL + "/clusters/" + w.Namespace + "/look"
	tb.signIn(path, "viewer")
	tb.inspect("en")
	tb.post(path+"/scale/machine-deployment/md-0", map[string]string{
		"uid": string(w.Get("Cluster", "look").GetUID()), "seen": "3", "replicas": "6", "do": "apply"})
	tb.seesText("main", "patch clusters.cluster.x-k8s.io")
	tb.inspect("en")
	tb.open(p.URL + "/me")
	tb.inspect("en")

	stranger := openTab(t, testkit.Look{})
	stranger.signIn(p.URL+fmt.Sprintf("/?ns=%s", w.Namespace), "team-b-dev")
	stranger.inspect("en")
}

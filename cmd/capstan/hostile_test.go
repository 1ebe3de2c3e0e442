//go:build sandbox

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// Texts that other people and programs put into objects.
const (
	markup   = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>&lt;b&gt;`
	backward = "\u202Eesrever\u202C \u2067mirror\u2069 \u200F"
)

// hostile is a cluster whose every text is bad: long names, markup, marks that
// turn the direction, messages without end and without a space.
func hostile(w *testkit.World) (name string) {
	name = "x" + strings.Repeat("very-long-name-", 4) + "x"
	pool := "p" + strings.Repeat("ool-with-a-name", 3)
	w.Paused(name, pool+"=3")
	machine := strings.Repeat("machine-with-a-name.", 12) + "end"
	w.Apply(fmt.Sprintf(`
apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata:
  name: %[1]s
  namespace: NAMESPACE
  labels: {cluster.x-k8s.io/cluster-name: %[2]s, topology.cluster.x-k8s.io/deployment-name: %[3]s}
  annotations: {note: %[4]q}
spec:
  clusterName: %[2]s
  version: v1.34.2
  bootstrap: {dataSecretName: none}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachine, name: none}
---
apiVersion: v1
kind: Event
metadata:
  name: forged
  namespace: NAMESPACE
  annotations: {capstan.dev/cluster-uid: %[6]s, capstan.dev/pool: %[5]q, capstan.dev/pool-kind: machine-deployment, capstan.dev/who: %[4]q, capstan.dev/from: "1", capstan.dev/to: "9", capstan.dev/at: %[7]q}
involvedObject: {apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, name: %[2]s, namespace: NAMESPACE, uid: %[6]s}
type: Normal
reason: Scaled
action: Scale
message: %[4]q
reportingComponent: capstan
reportingInstance: capstan
eventTime: %[7]q`, machine, name, pool, markup, backward, w.Get("Cluster", name).GetUID(), time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")))
	w.Patch("Cluster", name, "test", fmt.Sprintf(`[{"op":"add","path":"/metadata/annotations","value":{"note":%q}},{"op":"add","path":"/metadata/labels","value":{"x":"y"}}]`, markup+backward))
	bad := func(kind, message string) metav1.Condition {
		return metav1.Condition{Type: kind, Status: metav1.ConditionFalse, Reason: "Hostile", Message: message, LastTransitionTime: metav1.Now()}
	}
	w.AddConditions("Cluster", name,
		bad("Markup", markup), bad("Backward", backward+"after"), bad("Endless", strings.Repeat("x", 4000)),
		bad("List", "* "+markup+"\n  * "+strings.Repeat("y", 2000)+"\n* "+backward),
		bad("T"+strings.Repeat("ype", 80), strings.Repeat("word ", 800)))
	w.AddConditions("Machine", machine, bad("Ready", markup+strings.Repeat("z", 4000)), bad("InfrastructureReady", backward))
	return name
}

// Hostile text is shown as text: nothing of it runs or becomes an element, and
// the layout holds on a telephone.
func TestHostileText(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	name := hostile(w)
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/"+name, "team-a-dev")
	tb.seesText("#conditions", markup)
	tb.seesText("#conditions", "after")
	tb.seesText("main", "machine-with-a-name.")
	tb.seesText("#activity", markup)
	// It comes over the socket, too.
	tb.line("live")
	w.AddConditions("Cluster", name, metav1.Condition{Type: "Later", Status: metav1.ConditionFalse, Reason: "Hostile",
		Message: "later " + markup, LastTransitionTime: metav1.Now()})
	tb.seesText("#conditions", "later "+markup)
	tb.harmless()
	tb.inspect("en")

	tb.open(p.URL + "/?ns=" + w.Namespace)
	tb.seesText("table", name)
	tb.harmless()
	tb.inspect("en")
	for _, path := range []string{
		"/?q=%3Cscript%3Ewindow.pwned%3D1%3C/script%3E%22%3E&ns=%22%3E%3Cimg%20src=x%3E&sort=%3Cb%3E&page=-9&class=%E2%80%AE",
		"/?q=" + strings.Repeat("q", 3000), "/?page=99999999999999999999", "/catalog?q=%3Cimg%20src%3Dx%3E%22%27",
		"/clusters/%3Cscript%3E/%22%3E%3Cimg%20src=x%3E", "/clusters/" + w.Namespace + "/" + strings.Repeat("n", 2000),
		"/clusters/" + w.Namespace + "/" + name + "?draft=%3Cimg%20src=x%3E&pool=%22%3E&replicas=%3Cimg%20src=x%3E",
	} {
		tb.open(p.URL + path)
		tb.harmless()
		tb.must(tb.SetViewportSize(390, 844))
		tb.fits()
		tb.must(tb.SetViewportSize(1440, 900))
	}
}

// harmless fails the test where a hostile text became more than text.
func (tb *tab) harmless() {
	tb.t.Helper()
	if tb.eval(`"pwned" in window`) != "false" {
		tb.t.Errorf("a script ran on %s", tb.URL())
	}
	if n, _ := tb.Locator("img[src=x], main script").Count(); n > 0 {
		tb.t.Errorf("%d elements of a hostile text on %s", n, tb.URL())
	}
}

//go:build sandbox

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// demoClass brings one of the demo's classes into the world.
func demoClass(t *testing.T, w *testkit.World, name string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), "cmd", "sandbox", "seed", "classes", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	w.Apply(strings.ReplaceAll(string(text), "namespace: catalog", "namespace: NAMESPACE"))
	w.Until("class "+name+" has variables", func(context.Context) bool {
		status, _ := w.Get("ClusterClass", name).Object["status"].(map[string]any)
		return status["variables"] != nil
	})
}

// variable is what a cluster's topology sets a variable to.
func variable(w *testkit.World, cluster, name string) any {
	set, _, _ := unstructured.NestedSlice(w.Get("Cluster", cluster).Object, "spec", "topology", "variables")
	for _, v := range set {
		if entry, _ := v.(map[string]any); entry["name"] == name {
			return entry["value"]
		}
	}
	return nil
}

// The demo's plain and its rich class, by keyboard alone: a number that is
// typed, a choice that is made with Space and an arrow.
func TestCreateFromDemoClassesByKeyboard(t *testing.T) {
	t.Parallel()
	w := testkit.NewBareWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/me", "team-a-dev")
	for _, c := range []struct {
		class, input string
		keys         []string
		variable     string
		want         any
	}{
		{"standard", `[id="v.maxPods"]`, []string{"6", "0"}, "maxPods", int64(60)},
		{"rich", `[name="v.region"]`, []string{"Space", "ArrowDown"}, "region", "eu-north"},
	} {
		demoClass(t, w, c.class)
		name := "by-key-" + c.class
		tb.open(p.URL + "/create/" + w.Namespace + "/" + c.class + "?namespace=" + w.Namespace)
		for _, typed := range [][2]string{{"#name", name}, {"#version", "v1.34.2"}, {"#cp", "1"}} {
			tb.tabTo(typed[0])
			tb.must(tb.Keyboard().Type(typed[1]))
		}
		tb.tabTo(c.input)
		tb.press(c.keys...)
		tb.seesText("aside", "Admission accepts it")
		tb.tabTo("[data-create-now]")
		tb.press("Enter")
		tb.seesText("h1", name)
		if got := variable(w, name, c.variable); got != c.want {
			t.Errorf("%s: %s is %v, want %v", c.class, c.variable, got, c.want)
		}
	}
}

//go:build sandbox

package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// Who may read the classes of a catalogue, and nothing else there.
const readers = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: readers, namespace: NAMESPACE}
rules: [{apiGroups: [cluster.x-k8s.io], resources: [clusterclasses], verbs: [get, list, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers, namespace: NAMESPACE}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: readers}
subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: "oidc:team-a"}]`

// One namespace holds the classes of many tenants: whoever may read them there
// creates clusters of them in their own namespace, and nowhere else; whoever may
// not read them is offered nothing and learns nothing.
func TestClassFromSharedNamespace(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	shelf, ours, theirs := testkit.NewWorld(t, sb), testkit.NewBareWorld(t, sb), testkit.NewBareWorld(t, sb)
	shelf.Apply(readers)
	ours.Grant(teamA, team)
	theirs.Grant(teamB, team)
	p := sharedPortal(t)
	tenant, stranger := testkit.SignIn(t, p.URL, "team-a-dev"), testkit.SignIn(t, p.URL, "team-b-dev")
	path := "/create/" + shelf.Namespace + "/quick"
	eventually(t, "the tenant is offered the class and their own namespace", func() bool {
		return strings.Contains(tenant.Get("/create").Body, `href="`+path+`"`) && strings.Contains(tenant.Get(path).Body, option(ours.Namespace))
	})
	form := tenant.Form(path, "#create")
	for _, foreign := range []string{shelf.Namespace, theirs.Namespace} {
		if strings.Contains(form.Body, option(foreign)) {
			t.Errorf("the form offers to create in %s", foreign)
		}
	}
	form.Type("name", "tenant")
	form.Choose("namespace", ours.Namespace)
	form.Type("version", "v1.34.2")
	form.Type("cp", "1")
	form.Choose("pool0.class", "MachineDeployment/never")
	form.Press("set v.region")
	form.Choose("v.region", `"south"`)
	values := form.Values()
	values.Set("do", "create")
	elsewhere := url.Values{"namespace": {shelf.Namespace}}
	for name, value := range values {
		if name != "namespace" {
			elsewhere[name] = value
		}
	}
	if a := tenant.Post(path, elsewhere); a.Status != http.StatusUnprocessableEntity || len(shelf.List("Cluster", "")) > 0 {
		t.Errorf("creating beside the classes answers %d", a.Status)
	}
	if a := tenant.Post(path, values); a.Status != http.StatusSeeOther || !strings.HasPrefix(a.Location, "/clusters/"+ours.Namespace+"/tenant") {
		t.Fatalf("creating answers %d: %s", a.Status, testkit.Problems(a.Body))
	}
	ref, _, _ := unstructured.NestedStringMap(ours.Get("Cluster", "tenant").Object, "spec", "topology", "classRef")
	if ref["namespace"] != shelf.Namespace || ref["name"] != "quick" {
		t.Errorf("the class is %v", ref)
	}
	if page := tenant.Get("/clusters/" + ours.Namespace + "/tenant"); !strings.Contains(page.Body, shelf.Namespace+"/quick") {
		t.Error("the cluster's page doesn't name its class")
	}

	for _, at := range []string{"/catalog", "/create"} {
		if a := stranger.Get(at); a.Status != http.StatusOK || strings.Contains(a.Body, shelf.Namespace) {
			t.Errorf("%s answers a stranger %d, or names the namespace", at, a.Status)
		}
	}
	values.Set("namespace", theirs.Namespace)
	for what, a := range map[string]testkit.Answer{
		"its page": stranger.Get("/catalog/" + shelf.Namespace + "/quick"), "its form": stranger.Get(path), "the form, sent": stranger.Post(path, values),
	} {
		if a.Status != http.StatusNotFound {
			t.Errorf("%s answers a stranger %d", what, a.Status)
		}
	}
	if len(theirs.List("Cluster", "")) > 0 {
		t.Error("a stranger made a cluster of a class that they can't read")
	}
}

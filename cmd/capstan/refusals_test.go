//go:build sandbox

package main

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// creator is a person with the form of class quick filled in.
type creator struct {
	t      *testing.T
	w      *testkit.World
	person *testkit.Person
	form   *testkit.HTMLForm
}

// fill opens the form and fills it in: a cluster of one's own that no controller
// works on.
func (c creator) fill(t *testing.T, name string) creator {
	t.Helper()
	c.t, c.w, c.person = t, c.w.In(t), c.person.In(t)
	c.form = c.person.Form("/create/"+c.w.Namespace+"/quick", "#create")
	c.form.Type("name", name)
	c.form.Choose("namespace", c.w.Namespace)
	c.form.Type("version", "v1.34.2")
	c.form.Type("cp", "1")
	c.form.Choose("pool0.class", "MachineDeployment/never")
	c.form.Press("set v.region")
	c.form.Choose("v.region", `"south"`)
	return c
}

func (c creator) press(do string) testkit.Answer {
	c.t.Helper()
	values := c.form.Values()
	values.Set("do", do)
	return c.person.Post("/create/"+c.w.Namespace+"/quick", values)
}

// refused presses Create: the answer says a sentence, holds what was typed, and
// nothing was made.
func (c creator) refused(status int, sentence string) testkit.Answer {
	c.t.Helper()
	before := len(c.w.List("Cluster", ""))
	a := c.press("create")
	if text := testkit.Problems(a.Body); a.Status != status || !strings.Contains(text, sentence) {
		c.t.Fatalf("the answer is %d %q, want %d %q", a.Status, text, status, sentence)
	}
	again := testkit.ReadForm(c.t, "#create", a.Status, a.Body, func(url.Values) (int, string) { return 0, "" })
	for _, input := range []string{"form", "name", "namespace", "version", "cp", "pool0.class", "v.region"} {
		if got, want := again.Value(input), c.form.Value(input); got != want {
			c.t.Errorf("%s was typed as %q and is %q now", input, want, got)
		}
	}
	if got := len(c.w.List("Cluster", "")); got != before {
		c.t.Errorf("there are %d clusters now, were %d", got, before)
	}
	return a
}

// until waits until a preview is refused: admission learns of rules a moment
// later.
func (c creator) until(sentence string) {
	c.t.Helper()
	last := ""
	if !within(30*time.Second, func() bool {
		last = testkit.Problems(c.press("preview").Body)
		return strings.Contains(last, sentence)
	}) {
		c.t.Fatalf("the rule doesn't hold within 30 s, the last answer says %q", last)
	}
}

// Whatever keeps a cluster from being created is said in a sentence, what was
// typed stays, and nothing is left half-made.
func TestCreateRefused(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := testkit.NewWorld(t, sb)
	w.Grant(teamA, team)
	doomed := testkit.NewBareWorld(t, sb)
	doomed.Apply(held)
	t.Cleanup(func() { doomed.Apply(strings.Replace(held, `"example.com/held"`, "", 1)) })
	all := creator{w: w, person: testkit.SignIn(t, sharedPortal(t).URL, "team-a-dev")}
	eventually(t, "the portal offers the class and the namespace", func() bool {
		a := all.person.Get("/create/" + w.Namespace + "/quick")
		return a.Status == http.StatusOK && strings.Contains(a.Body, `id="v.region"`) &&
			strings.Contains(a.Body, option(w.Namespace)) && strings.Contains(a.Body, option(doomed.Namespace))
	})

	t.Run("sent twice", func(t *testing.T) {
		c := all.fill(t, "twice")
		page := "/clusters/" + c.w.Namespace + "/twice"
		for range 2 {
			if a := c.press("create"); a.Status != http.StatusSeeOther || !strings.HasPrefix(a.Location, page) {
				t.Fatalf("the answer is %d to %q: %s", a.Status, a.Location, testkit.Problems(a.Body))
			}
		}
		if got := len(c.w.List("Cluster", "")); got != 1 {
			t.Errorf("there are %d clusters", got)
		}
	})
	t.Run("name taken meanwhile", func(t *testing.T) {
		c := all.fill(t, "taken")
		c.w.Paused("taken", "md-0=1")
		a := c.refused(http.StatusUnprocessableEntity, "has a cluster of this name already")
		if err := testkit.FaultAt(a.Body, "name"); err != nil {
			t.Error(err)
		}
	})
	t.Run("quota", func(t *testing.T) {
		c := all.fill(t, "more")
		c.w.Apply(quota)
		c.until("is used up")
		c.refused(http.StatusUnprocessableEntity, "The quota few of the namespace is used up (count/clusters.cluster.x-k8s.io 2/2). Nothing was written")
		remove(t, w, "", "resourcequotas", w.Namespace, "few")
	})
	t.Run("webhook down", func(t *testing.T) {
		c := all.fill(t, "unchecked")
		c.w.Apply(deadWebhook)
		t.Cleanup(func() {
			remove(t, w, "admissionregistration.k8s.io", "validatingwebhookconfigurations", "", w.Namespace+"-dead")
		})
		c.until("does not answer")
		c.refused(http.StatusServiceUnavailable, "its webhook down.example.com does not answer. Nothing was written")
	})
	t.Run("policy", func(t *testing.T) {
		c := all.fill(t, "friday")
		c.w.Apply(denial)
		t.Cleanup(func() {
			for _, resource := range []string{"validatingadmissionpolicybindings", "validatingadmissionpolicies"} {
				remove(t, w, "admissionregistration.k8s.io", resource, "", w.Namespace+"-rule")
			}
		})
		c.until("refused the change")
		c.refused(http.StatusUnprocessableEntity, "A rule of the management cluster refused the change: not on a Friday")
	})
	t.Run("class changed meanwhile", func(t *testing.T) {
		c := all.fill(t, "older")
		c.w.Apply(strings.Replace(testkit.Quick(t), "  variables:\n", "  variables:\n    - {name: owner, required: true, schema: {openAPIV3Schema: {type: string, minLength: 1}}}\n", 1))
		c.w.Reconciled("quick")
		eventually(t, "the portal has the new class", func() bool {
			return strings.Contains(c.person.Get("/create/"+c.w.Namespace+"/quick").Body, `name="v.owner"`)
		})
		a := c.refused(http.StatusConflict, "This is required")
		if err := testkit.FaultAt(a.Body, "v.owner"); err != nil || !strings.Contains(a.Body, "The class has changed since you opened this form. Nothing was created") {
			t.Errorf("%v", err)
		}
		c.w.Apply(testkit.Quick(t)) // else the clusters that are there can't be let go
	})
	t.Run("namespace being deleted", func(t *testing.T) {
		c := all.fill(t, "late")
		c.form.Choose("namespace", doomed.Namespace)
		remove(t, w, "", "namespaces", "", doomed.Namespace)
		eventually(t, "the namespace is no longer offered", func() bool {
			return !strings.Contains(c.person.Get("/create/"+c.w.Namespace+"/quick").Body, option(doomed.Namespace))
		})
		a := c.refused(http.StatusUnprocessableEntity, "You may not create clusters in "+doomed.Namespace+", or it is being deleted. Choose another namespace.")
		if err := testkit.FaultAt(a.Body, "namespace"); err != nil {
			t.Error(err)
		}
	})
}

// A right that outlives the deletion of its namespace.
const held = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: held, namespace: NAMESPACE, finalizers: ["example.com/held"]}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-api-team}
subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: "oidc:team-a"}]`

const quota = `apiVersion: v1
kind: ResourceQuota
metadata: {name: few, namespace: NAMESPACE}
spec: {hard: {count/clusters.cluster.x-k8s.io: "2"}}`

const deadWebhook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: NAMESPACE-dead}
webhooks:
- name: down.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://127.0.0.1:1/"}
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAMESPACE}}
  rules: [{apiGroups: [cluster.x-k8s.io], apiVersions: ["*"], operations: [CREATE], resources: [clusters]}]`

const denial = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: NAMESPACE-rule}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAMESPACE}}
    resourceRules: [{apiGroups: [cluster.x-k8s.io], apiVersions: ["*"], operations: [CREATE], resources: [clusters]}]
  validations: [{expression: "object.metadata.name != 'friday'", message: not on a Friday}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: NAMESPACE-rule}
spec: {policyName: NAMESPACE-rule, validationActions: [Deny]}`

func remove(t *testing.T, w *testkit.World, group, resource, namespace, name string) {
	t.Helper()
	gvr := schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}
	err := w.Client.Resource(gvr).Namespace(namespace).Delete(context.Background(), name, metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		t.Errorf("remove %s: %v", name, err)
	}
}

// option is how a select offers a value.
func option(value string) string { return `<option value="` + value + `"` }

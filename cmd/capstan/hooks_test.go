//go:build sandbox

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/fleet"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// hooks puts the variables of classes to the proof on the real webhooks: valid
// values go through the portal's form and are admitted; whatever the portal
// refuses the webhook refuses too, at the same input, and the other way round.
type hooks struct {
	t      *testing.T
	w      *testkit.World
	person *testkit.Person
	fleet  *fleet.Fleet // the same person's, beside the portal
	user   auth.User

	name    string
	b       catalog.Blueprint
	checker *catalog.Checker
	counts  *hookCounts
}

// hookCounts is how much was tried. Untypable are texts that are no value at
// all, so that no webhook can be asked about them.
type hookCounts struct {
	Variables, Values, Posts, Broken, Told, Untypable, Random, RandomRefused, Disagreed, Misplaced int
}

// newHooks is a person with a world of their own. Classes come by class.
func newHooks(t *testing.T) *hooks {
	t.Helper()
	sb := testkit.SharedSandbox(t)
	h := &hooks{t: t, w: testkit.NewWorld(t, sb), user: auth.User{Name: "oidc:team-a-dev", Display: "team-a-dev", Groups: []string{teamA}}}
	h.w.Grant(teamA, team)
	h.person = testkit.SignIn(t, sharedPortal(t).URL, "team-a-dev")
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	f, err := fleet.Connect(t.Context(), fleet.Config{Kubeconfig: sb.PortalKubeconfig}, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	h.fleet = f
	return h
}

// class makes a class with these variables, for a test or a part of it.
func (h hooks) class(t *testing.T, name string, variables []clusterv1.ClusterClassVariable) *hooks {
	t.Helper()
	h.t, h.w, h.person = t, h.w.In(t), h.person.In(t)
	h.name, h.counts = name, &hookCounts{Variables: len(variables)}
	h.w.Class(name, variables)
	eventually(t, "the class is seen", func() bool {
		b, err := h.fleet.Class(t.Context(), h.user, topology.Ref{Namespace: h.w.Namespace, Name: name})
		h.b = b
		return err == nil && b.Ready && len(b.Schema.Variables) == len(variables)
	})
	h.checker = catalog.NewChecker(h.b.Schema)
	eventually(t, "the portal offers the class", func() bool {
		a := h.person.Get(h.path())
		for _, v := range h.b.Schema.Variables {
			if !strings.Contains(a.Body, `id="v.`+html.EscapeString(catalog.Escape(v.Name))) {
				return false
			}
		}
		return a.Status == http.StatusOK
	})
	return &h
}

func (h *hooks) path() string { return "/create/" + h.w.Namespace + "/" + h.name }

// form is the form with the settings that are no variables.
func (h *hooks) form() *testkit.HTMLForm {
	h.t.Helper()
	f := h.person.Form(h.path(), "#create")
	f.Type("name", "proof")
	f.Choose("namespace", h.w.Namespace)
	f.Type("version", "v1.34.2")
	f.Type("cp", "1")
	return f
}

// sample fills the form with the i-th valid value of every variable, has it
// admitted, and looks at what defaulting made of it.
func (h *hooks) sample(i int) *testkit.HTMLForm {
	h.t.Helper()
	f := h.form()
	want := map[string]string{}
	for _, v := range h.b.Schema.Variables {
		value, ok := testkit.ValidValue(h.t.Context(), h.b.Schema, h.checker, v, i)
		if !ok || i%3 == 1 && (!v.Required || v.Default != nil) {
			continue // as little as can be
		}
		h.counts.Values++
		f.Fill(v.Field, "v."+catalog.Escape(v.Name), value)
		raw, err := json.Marshal(value)
		if err != nil {
			h.t.Fatal(err)
		}
		want[v.Name] = canonical(h.t, raw)
	}
	f.Press("preview")
	h.counts.Posts += f.Posts
	if f.Status != http.StatusOK || !strings.Contains(f.Body, "Admission accepts it") {
		h.t.Fatalf("sample %d: %d %s", i, f.Status, testkit.Problems(f.Body))
	}
	form, plan := h.plan(f.Values())
	h.same(fmt.Sprint("what sample ", i, " sends"), plan.Variables, want)
	created, err := h.dryRun(plan)
	if err != nil {
		h.t.Fatalf("sample %d: %v", i, err)
	}
	foretold := map[string]string{}
	for _, v := range catalog.VariablesOf(h.checker.Defaulted(form.Variables, true)) {
		foretold[v.Name] = canonical(h.t, v.Value.Raw)
	}
	h.same(fmt.Sprint("what defaulting makes of sample ", i), created.Object.Spec.Topology.Variables, foretold)
	return f
}

func (h *hooks) plan(values url.Values) (topology.CreateForm, topology.Plan) {
	form := topology.ParseCreateForm(h.b, values)
	plan, _ := form.Plan(h.b, topology.CreateLimits{Namespaces: []string{h.w.Namespace}, Max: 100})
	return form, plan
}

func (h *hooks) dryRun(p topology.Plan) (topology.Created, error) {
	return h.fleet.Create(h.t.Context(), h.user, p, true)
}

func (h *hooks) same(what string, got []clusterv1.ClusterVariable, want map[string]string) {
	h.t.Helper()
	left := map[string]bool{}
	for name := range want {
		left[name] = true
	}
	for _, v := range got {
		if text := canonical(h.t, v.Value.Raw); text != want[v.Name] {
			h.t.Errorf("%s: %s is\n%s, want\n%s", what, v.Name, text, want[v.Name])
		}
		delete(left, v.Name)
	}
	for name := range left {
		h.t.Errorf("%s lacks %s = %s", what, name, want[name])
	}
}

func canonical(t *testing.T, raw []byte) string {
	t.Helper()
	out, err := catalog.Canonical(raw)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// broken breaks one rule at a time in a form that is filled in. The check in
// process finds it at the input; the webhook refuses the same, and its words lead
// to the input. Every so many times the portal itself is asked, which puts both
// answers together.
func (h *hooks) broken(f *testkit.HTMLForm, every int) {
	h.t.Helper()
	filled := f.Values()
	for broken := range testkit.EachBroken(catalog.Parse(h.b.Schema, "v", filled)) {
		h.counts.Broken++
		values := testkit.Swap(filled, broken.State)
		if h.counts.Broken%every == 1 || every == 1 {
			h.told(values, broken)
		}
		form, plan := h.plan(values)
		if !leads(form.Check(h.t.Context(), h.checker), broken.At) {
			h.t.Errorf("%s: no fault at %s", broken.What, broken.At)
		}
		if _, bad := form.Variables.Variables(); len(bad) > 0 {
			h.counts.Untypable++
			continue
		}
		if _, err := h.dryRun(plan); err == nil {
			h.disagree(broken.What, "the portal refuses what the webhook accepts", plan.Variables)
		} else {
			h.placed(broken.What, form.Explain(err), broken.At, err)
		}
	}
}

// told: the portal's page tells of the fault at the input.
func (h *hooks) told(values url.Values, broken testkit.Broken) {
	h.t.Helper()
	h.counts.Told++
	values.Set("do", "preview")
	a := h.person.Post(h.path(), values)
	if a.Status != http.StatusUnprocessableEntity {
		h.t.Errorf("%s: the answer is %d", broken.What, a.Status)
	} else if err := testkit.FaultAt(a.Body, broken.At); err != nil {
		h.t.Errorf("%s: %v", broken.What, err)
	}
}

// leads tells whether one of the faults stands at the input or below it.
func leads(faults []fail.Fault, at string) bool {
	return slices.ContainsFunc(faults, func(f fail.Fault) bool { return f.Field == at || strings.HasPrefix(f.Field, at+".") })
}

func (h *hooks) disagree(what, how string, variables []clusterv1.ClusterVariable) {
	h.t.Helper()
	h.counts.Disagreed++
	raw, _ := json.Marshal(variables)
	h.t.Errorf("%s: %s: %s", what, how, raw)
}

// placed: one of the webhook's causes leads to the input or below it.
func (h *hooks) placed(what string, faults []fail.Fault, at string, err error) {
	h.t.Helper()
	if leads(faults, at) {
		return
	}
	h.counts.Misplaced++
	var failure *fail.Error
	if errors.As(err, &failure) {
		err = failure.Cause
	}
	h.t.Errorf("%s: the webhook's words lead to %+v, want %s: %v", what, faults, at, err)
}

// random puts so many values of each variable to both, whether they break rules
// or not: both judge alike.
func (h *hooks) random(f *testkit.HTMLForm, n int) {
	h.t.Helper()
	state := catalog.Parse(h.b.Schema, "v", f.Values())
	for _, v := range h.b.Schema.Variables {
		for i := range n {
			h.counts.Random++
			raw, err := json.Marshal(testkit.AnyValue(v, i))
			if err != nil {
				h.t.Fatal(err)
			}
			form, plan := h.plan(testkit.Swap(f.Values(), testkit.Replace(state, v.Name, raw)))
			faults := form.Check(h.t.Context(), h.checker)
			_, err = h.dryRun(plan)
			switch {
			case err != nil && fail.CodeOf(err) != fail.Invalid:
				h.t.Fatalf("%s: %v", v.Name, err)
			case err == nil && len(faults) > 0:
				h.disagree(v.Name, fmt.Sprintf("the webhook accepts, the portal says %+v", faults), plan.Variables)
			case err != nil && len(faults) == 0:
				h.disagree(v.Name, fmt.Sprintf("the portal accepts, the webhook says %v", err), plan.Variables)
			case err != nil:
				h.counts.RandomRefused++
			}
		}
	}
}

// run is the whole proof: so many samples, so many random values of each
// variable, and every so many broken rules over HTTP.
func (h *hooks) run(samples, random, every int) {
	h.t.Helper()
	began := time.Now()
	for i := range samples {
		f := h.sample(i)
		if i == 0 {
			h.broken(f, every)
			h.random(f, random)
		}
	}
	h.t.Logf("%+v in %s", *h.counts, time.Since(began).Round(time.Millisecond))
}

// Every construct that a schema can have passes the form and the real webhooks,
// and whatever breaks a rule fails at both.
func TestEveryConstructOnRealWebhooks(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	for _, cc := range testkit.ReadClasses(t, filepath.Join("..", "..", "internal", "catalog", "testdata", "every.yaml")) {
		h.class(t, "every", cc.Spec.Variables).run(2, 0, 5)
	}
}

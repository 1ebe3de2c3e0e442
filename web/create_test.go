package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

const createPath = "/create/catalog/rich"

// richClass has a list of objects with a nested list, and a variable that must be
// given.
func richClass() *clusterv1.ClusterClass {
	peer := clusterv1.JSONSchemaProps{Type: "object", Required: []string{"name"}, Properties: map[string]clusterv1.JSONSchemaProps{
		"name": {Type: "string", Pattern: "^[a-z]+$"}, "mtu": {Type: "integer", Default: &apiextensionsv1.JSON{Raw: []byte("1450")}},
	}}
	yes := true
	definition := func(name string, required *bool, s clusterv1.JSONSchemaProps) clusterv1.ClusterClassStatusVariable {
		return clusterv1.ClusterClassStatusVariable{Name: name, Definitions: []clusterv1.ClusterClassStatusVariableDefinition{{
			From: "inline", Required: required, Schema: clusterv1.VariableSchema{OpenAPIV3Schema: s}}}}
	}
	cc := &clusterv1.ClusterClass{ObjectMeta: metav1.ObjectMeta{Namespace: "catalog", Name: "rich", UID: "c2", Generation: 4, ResourceVersion: "9"}}
	cc.Spec.ControlPlane.TemplateRef.Kind = "KubeadmControlPlaneTemplate"
	cc.Spec.KubernetesVersions = []string{"v1.34.2", "v1.35.0"}
	cc.Spec.Workers.MachineDeployments = []clusterv1.MachineDeploymentClass{{Class: "worker"}}
	cc.Status.ObservedGeneration = 4
	cc.Status.Conditions = []metav1.Condition{{Type: clusterv1.ClusterClassVariablesReadyCondition, Status: metav1.ConditionTrue}}
	cc.Status.Variables = []clusterv1.ClusterClassStatusVariable{
		definition("region", &yes, clusterv1.JSONSchemaProps{Type: "string", Description: "<em>where</em>"}),
		definition("peers", nil, clusterv1.JSONSchemaProps{Type: "array", Items: &peer}),
	}
	return cc
}

func startCreate(t *testing.T) *portal {
	p := start(t, "", nil)
	p.signIn()
	p.fleet.do(func() {
		ref := topology.Ref{Namespace: "catalog", Name: "rich"}
		p.fleet.blueprints = map[topology.Ref]catalog.Blueprint{ref: catalog.NewBlueprint(richClass())}
		p.fleet.creatable = []string{"team-a", "team-b"}
	})
	return p
}

// values are what the page's form would send as it stands.
func formValues(t *testing.T, a answer) url.Values {
	t.Helper()
	out := url.Values{}
	form := a.find(t, "#create")
	for _, s := range form.Find("input[name], textarea[name], select[name]").EachIter() {
		name, _ := s.Attr("name")
		kind, _ := s.Attr("type")
		_, checked := s.Attr("checked")
		value, _ := s.Attr("value")
		switch {
		case (kind == "radio" || kind == "checkbox") && !checked:
		case s.Is("select"):
			chosen, _ := s.Find("option[selected]").Attr("value")
			out.Add(name, chosen)
		case s.Is("textarea"):
			out.Add(name, strings.TrimPrefix(s.Text(), "\n"))
		default:
			out.Add(name, value)
		}
	}
	return out
}

func with(v url.Values, pairs ...string) url.Values {
	out := url.Values{}
	for name, values := range v {
		out[name] = slices.Clone(values)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		out.Set(pairs[i], pairs[i+1])
	}
	return out
}

func TestCreateFormIsQuietAtFirst(t *testing.T) {
	p := startCreate(t)
	a := p.get(createPath)
	if a.status != http.StatusOK || a.find(t, "[aria-invalid]").Length() != 0 || a.find(t, "#problems").Length() != 0 {
		t.Fatalf("got %d with faults", a.status)
	}
	if got, _ := a.find(t, "select[name=version] option[selected]").Attr("value"); got != "v1.35.0" {
		t.Errorf("version %q", got)
	}
	if a := p.get("/create"); a.find(t, `a[href^="/create/catalog/"]`).Length() != 2 {
		t.Error("the choice of classes is missing")
	}
}

func TestCreateSendsWhatWasTyped(t *testing.T) {
	p := startCreate(t)
	p.fleet.do(func() { p.fleet.written = true })
	v := with(formValues(t, p.get(createPath)), "name", "shop", "cp", "1", "v.region", "eu", "do", "add v.peers")
	a := p.post(createPath, v)
	focus, _ := a.find(t, "[data-focus]").Attr("name")
	if a.status != http.StatusOK || focus != "v.peers.~i0.name" && focus != "v.peers.~i0.mtu" {
		t.Fatalf("adding an entry: %d, focus on %q", a.status, focus)
	}
	p.still()
	a = p.post(createPath, with(formValues(t, a), "v.peers.~i0.name", "west", "do", "create"))
	if a.status != http.StatusSeeOther || a.header.Get("Location") != "/clusters/team-a/shop?written=43" {
		t.Fatalf("got %d to %q: %s", a.status, a.header.Get("Location"), a.find(t, "#problems").Text())
	}
	made := p.fleet.created()
	last := made[len(made)-1]
	if last.dry || last.user.Name != "oidc:ada" || last.plan.Form == "" || *last.plan.ControlPlane != 1 || len(last.plan.Pools) != 1 {
		t.Errorf("created %+v", last)
	}
	var sent []string
	for _, variable := range last.plan.Variables {
		sent = append(sent, variable.Name+"="+string(variable.Value.Raw))
	}
	if got := strings.Join(sent, " "); got != `region="eu" peers=[{"name":"west"}]` {
		t.Errorf("variables %s", got)
	}
}

func TestCreateFaultStandsAtItsInput(t *testing.T) {
	p := startCreate(t)
	v := with(formValues(t, p.get(createPath)), "name", "shop", "v.region", "eu", "v.peers.~set", "1", "v.peers.~i0.name", "WEST", "do", "preview")
	a := p.post(createPath, v)
	input := a.find(t, `[id="v.peers.~i0.name"]`)
	if a.status != http.StatusUnprocessableEntity || input.AttrOr("aria-invalid", "") != "true" || input.AttrOr("value", "") != "WEST" {
		t.Fatalf("got %d: %s", a.status, a.find(t, "#problems").Text())
	}
	if a.find(t, `#problems[data-focus] a[href="#v.peers.~i0.name"]`).Length() != 1 {
		t.Error("the summary doesn't lead to the input")
	}
	for _, made := range p.fleet.created() {
		if !made.dry {
			t.Error("it was created nonetheless")
		}
	}
	if a := p.post(createPath, with(v, "do", "check", "name", ""), fragmentHeader, "create"); strings.Contains(a.body, "<html") || a.find(t, "#name[aria-invalid]").Length() != 0 {
		t.Error("a check while typing complains about what is still empty")
	}
}

func TestCreateRefusals(t *testing.T) {
	invalid := apierrors.NewInvalid(clusterv1.GroupVersion.WithKind("Cluster").GroupKind(), "shop", nil)
	invalid.ErrStatus.Details.Causes = []metav1.StatusCause{{
		Field:   "spec.topology.variables[region].value",
		Message: `Invalid value: "\"eu\"": region is full`,
	}}
	tests := map[string]struct {
		refusal error
		status  int
		at      string
	}{
		"by a webhook":   {fail.Wrap(invalid, fail.Invalid, message.New("fleet.refused")), http.StatusUnprocessableEntity, "v.region"},
		"taken":          {takenName(), http.StatusUnprocessableEntity, "name"},
		"missing right":  {fail.New(fail.Forbidden, message.New("fleet.forbidden")), http.StatusForbidden, ""},
		"webhook down":   {fail.New(fail.Unavailable, message.New("fleet.webhook-down", message.Str("webhook", "x"))), http.StatusServiceUnavailable, ""},
		"internal fault": {fail.New(fail.Internal, message.New("fleet.internal")), http.StatusInternalServerError, "-"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := startCreate(t)
			v := with(formValues(t, p.get(createPath)), "name", "shop", "v.region", "eu", "do", "create")
			p.fleet.do(func() { p.fleet.refusal = test.refusal })
			a := p.post(createPath, v)
			if a.status != test.status {
				t.Fatalf("got %d", a.status)
			}
			if test.at == "-" {
				return
			}
			if got := a.find(t, "[aria-invalid]").AttrOr("name", ""); got != test.at {
				t.Errorf("the fault stands at %q", got)
			}
			if a.find(t, "#problems").Length() != 1 || a.find(t, "#name").AttrOr("value", "") != "shop" {
				t.Error("no summary, or what was typed is lost")
			}
		})
	}
}

func takenName() error {
	text := message.New("create.fault.taken", message.Str("namespace", "team-a"))
	return fail.New(fail.Invalid, text, fail.Fault{Field: topology.InputName, Text: text})
}

func TestCreateWhenTheClassChanged(t *testing.T) {
	p := startCreate(t)
	v := with(formValues(t, p.get(createPath)), "name", "shop", "v.region", "eu", "v.old", "kept", "generation", "3", "do", "create")
	a := p.post(createPath, v)
	if a.status != http.StatusConflict || len(p.fleet.created()) > 1 {
		t.Fatalf("got %d", a.status)
	}
	for _, made := range p.fleet.created() {
		if !made.dry {
			t.Error("it was created nonetheless")
		}
	}
	if !strings.Contains(a.find(t, "#create").Text(), "kept") {
		t.Error("a value without a place is lost")
	}
	if got := a.find(t, "input[name=generation]").AttrOr("value", ""); got != "4" {
		t.Errorf("generation %q", got)
	}
}

func TestCreateYAML(t *testing.T) {
	p := startCreate(t)
	a := p.post(createPath, with(formValues(t, p.get(createPath)), "name", "shop", "v.region", "eu", "do", "yaml"))
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/yaml") || !strings.Contains(a.header.Get("Content-Disposition"), "shop.yaml") {
		t.Errorf("headers %v", a.header)
	}
	for _, line := range []string{"kind: Cluster", "    variables:\n    - name: region\n      value: eu\n", "name: md-0"} {
		if !strings.Contains(a.body, line) {
			t.Errorf("%q is missing in\n%s", line, a.body)
		}
	}
	if strings.Contains(a.body, "clusterNetwork") || strings.Contains(a.body, "status") {
		t.Errorf("more than was asked for:\n%s", a.body)
	}
}

func TestCreateNeedsSomewhere(t *testing.T) {
	p := startCreate(t)
	p.fleet.do(func() { p.fleet.creatable = nil })
	if a := p.get(createPath); a.status != http.StatusForbidden {
		t.Errorf("got %d", a.status)
	}
	if a := p.get("/"); a.find(t, `a[href="/create"]`).Length() != 0 {
		t.Error("the list offers to create")
	}
}

func TestClone(t *testing.T) {
	p := startCreate(t)
	p.fleet.do(func() {
		c := &clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: "team-b", Name: "old"}}
		c.Spec.Topology.Version = "v1.34.2"
		c.Spec.Topology.Variables = []clusterv1.ClusterVariable{
			{Name: "region", Value: apiextensionsv1.JSON{Raw: []byte(`"us"`)}}, {Name: "gone", Value: apiextensionsv1.JSON{Raw: []byte(`7`)}}}
		two := int32(2)
		c.Spec.Topology.Workers.MachineDeployments = []clusterv1.MachineDeploymentTopology{{Name: "web", Class: "worker", Replicas: &two}}
		p.fleet.specimens = map[topology.Ref]*clusterv1.Cluster{{Namespace: "team-b", Name: "old"}: c}
	})
	v := formValues(t, p.get(createPath+"?from=team-b/old"))
	for name, want := range map[string]string{"name": "", "namespace": "team-b", "version": "v1.34.2", "v.region": "us", "pool0.name": "web", "pool0.replicas": "2"} {
		if v.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, v.Get(name), want)
		}
	}
	if !strings.Contains(v.Get("v.~aside"), "gone") {
		t.Error("the value without a place is lost")
	}
}

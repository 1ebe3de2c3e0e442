package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/yaml"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// What people ask of forms for classes, each as a class and what a person does.

// asked is a class of which one asks.
const asked = `metadata: {namespace: catalog, name: asked, generation: 1, uid: a1, resourceVersion: "1"}
spec:
  infrastructure: {templateRef: {apiVersion: i.io/v1, kind: ITemplate, name: i}}
  controlPlane:
    templateRef: {apiVersion: c.io/v1, kind: CTemplate, name: c}
    machineInfrastructure: {templateRef: {apiVersion: i.io/v1, kind: MTemplate, name: m}}
  workers:
    machineDeployments:
      - {class: small, bootstrap: {templateRef: {apiVersion: b.io/v1, kind: BTemplate, name: b}}, infrastructure: {templateRef: {apiVersion: i.io/v1, kind: MTemplate, name: s}}}
      - {class: gpu, bootstrap: {templateRef: {apiVersion: b.io/v1, kind: BTemplate, name: b}}, infrastructure: {templateRef: {apiVersion: i.io/v1, kind: MTemplate, name: g}}}
  patches:
    - name: everywhere
      definitions:
        - selector: {apiVersion: i.io/v1, kind: MTemplate, matchResources: {controlPlane: true, machineDeploymentClass: {names: ["*"]}}}
          jsonPatches: [{op: add, path: /spec/template/spec/image, valueFrom: {variable: image}}]
    - name: cards
      definitions:
        - selector: {apiVersion: i.io/v1, kind: MTemplate, matchResources: {machineDeploymentClass: {names: [gpu]}}}
          jsonPatches: [{op: add, path: /spec/template/spec/card, valueFrom: {variable: card}}]
    - name: control
      definitions:
        - selector: {apiVersion: c.io/v1, kind: CTemplate, matchResources: {controlPlane: true}}
          jsonPatches: [{op: add, path: /spec/template/spec/audit, valueFrom: {variable: audit}}]
    - name: network
      definitions:
        - selector: {apiVersion: i.io/v1, kind: ITemplate, matchResources: {infrastructureCluster: true}}
          jsonPatches: [{op: add, path: /spec/template/spec/net, valueFrom: {variable: net}}]
status:
  observedGeneration: 1
  conditions: [{type: VariablesReady, status: "True"}]
  variables:
`

// classOf reads the class with its variables: a line of YAML each, name and
// schema.
func classOf(t *testing.T, variables ...string) catalog.Blueprint {
	t.Helper()
	text := asked
	for _, v := range variables {
		name, schema, _ := strings.Cut(v, " ")
		text += "    - {name: " + name + ", definitions: [{from: inline, required: false, schema: {openAPIV3Schema: " + schema + "}}]}\n"
	}
	cc := &clusterv1.ClusterClass{}
	if err := yaml.UnmarshalStrict([]byte(text), cc); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return catalog.NewBlueprint(cc)
}

// ask opens the form of a class.
func ask(t *testing.T, variables ...string) (*portal, *testkit.HTMLForm) {
	t.Helper()
	p := startCreate(t)
	b := classOf(t, variables...)
	p.fleet.do(func() { p.fleet.blueprints[topology.Ref{Namespace: b.Namespace, Name: b.Name}] = b })
	f := p.htmlForm("/create/catalog/asked")
	f.Type("name", "shop")
	f.Type("version", "v1.34.2")
	return p, f
}

func (p *portal) htmlForm(path string) *testkit.HTMLForm {
	p.t.Helper()
	a := p.get(path)
	return testkit.ReadForm(p.t, "#create", a.status, a.body, func(v url.Values) (int, string) {
		a := p.post(path, v)
		return a.status, a.body
	})
}

// sent has the form created and gives the plan that the fleet got.
func (p *portal) sent(f *testkit.HTMLForm) topology.Plan {
	p.t.Helper()
	f.Press("preview")
	if f.Status != http.StatusOK {
		p.t.Fatalf("%d %s", f.Status, testkit.Problems(f.Body))
	}
	made := p.fleet.created()
	return made[len(made)-1].plan
}

func wrote(variables []clusterv1.ClusterVariable) string {
	var out []string
	for _, v := range variables {
		out = append(out, v.Name+"="+string(v.Value.Raw))
	}
	return strings.Join(out, " ")
}

const (
	plainText = "{type: string}"
	withMaps  = "labels {type: object, additionalProperties: {type: string, default: none}}"
)

package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

const pasted = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: shop, namespace: team-a, annotations: {note: x}}
spec:
  topology:
    classRef: {name: rich, namespace: catalog}
    version: v1.34.2
    controlPlane: {replicas: 1, healthCheck: {enabled: false}}
    variables:
    - {name: region, value: eu}
    workers:
      machineDeployments:
      - {class: worker, name: web, replicas: 2, minReadySeconds: 7}
`

func TestPasteFillsTheForm(t *testing.T) {
	p := startCreate(t)
	p.fleet.do(func() { p.fleet.written = true })
	if a := p.get("/create"); a.find(t, `a[href="/create/manifest"]`).Length() != 1 {
		t.Error("the choice doesn't lead there")
	}
	if a := p.get("/create/manifest"); a.status != http.StatusOK || a.find(t, "textarea[name=manifest]").Length() != 1 {
		t.Fatalf("got %d", a.status)
	}
	a := p.post("/create/manifest", url.Values{"manifest": {pasted}})
	if a.status != http.StatusOK || a.find(t, "#problems").Length() != 0 {
		t.Fatalf("got %d: %s", a.status, a.find(t, "main").Text())
	}
	said := a.find(t, "[aria-labelledby=h-kept]").Text()
	for _, path := range []string{"spec.topology.controlPlane.healthCheck", "web: minReadySeconds"} {
		if !strings.Contains(said, path) {
			t.Errorf("%s is not said: %s", path, said)
		}
	}
	v := formValues(t, a)
	for name, want := range map[string]string{"name": "shop", "namespace": "team-a", "v.region": "eu", "pool0.name": "web", "annotations": "note=x", "from": "manifest"} {
		if v.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, v.Get(name), want)
		}
	}
	forget := a.find(t, `button[value^="forget 0 "]`).AttrOr("value", "")
	p.still()
	a = p.post(createPath, with(v, "do", forget))
	v = formValues(t, a)
	p.still()
	a = p.post(createPath, with(v, "do", "create"))
	if a.status != http.StatusSeeOther {
		t.Fatalf("got %d: %s", a.status, a.find(t, "#problems").Text())
	}
	made := p.fleet.created()
	c := made[len(made)-1].plan.Cluster()
	if on := c.Spec.Topology.ControlPlane.HealthCheck.Enabled; on == nil || *on {
		t.Error("what the form can't show is lost")
	}
	if c.Spec.Topology.Workers.MachineDeployments[0].MinReadySeconds != nil {
		t.Error("what was forgotten is created")
	}
}

func TestPasteSaysWhatIsWrong(t *testing.T) {
	p := startCreate(t)
	tests := map[string]string{
		"replica: 3":                        strings.Replace(pasted, "replicas: 1", "replica: 3", 1),
		"no class catalog/none":             strings.Replace(pasted, "name: rich", "name: none", 1),
		"There is no class none":            strings.Replace(strings.Replace(pasted, "{name: rich, namespace: catalog}", "{name: none}", 1), "namespace: team-a, ", "", 1),
		"Paste the YAML of a Cluster.":      "",
		"Line 15: a second document begins": pasted + "---\nkind: Cluster\n",
		"<em>":                              strings.Replace(pasted, "kind: Cluster", "kind: <em>", 1),
	}
	for want, text := range tests {
		a := p.post("/create/manifest", url.Values{"manifest": {text}})
		input := a.find(t, "textarea[name=manifest][aria-invalid]")
		if a.status != http.StatusUnprocessableEntity || strings.TrimPrefix(input.Text(), "\n") != text {
			t.Errorf("%s: got %d, or the text is lost", want, a.status)
		}
		said := a.find(t, "#manifest-err").Text()
		if want == "replica: 3" {
			want = "has no field spec.topology.controlPlane.replica"
		}
		if !strings.Contains(said, want) {
			t.Errorf("said %q, want %q", said, want)
		}
	}
}

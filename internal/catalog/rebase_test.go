package catalog

import (
	"net/url"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/yaml"
)

const otherClass = `
metadata: {name: other}
spec:
  variables:
    - {name: text, required: true, schema: {openAPIV3Schema: {type: string}}}
    - {name: count, required: false, schema: {openAPIV3Schema: {type: number}}}
    - {name: zone, required: false, schema: {openAPIV3Schema: {type: string, enum: [a, c]}}}
    - {name: flag, required: false, schema: {openAPIV3Schema: {type: string}}}
    - {name: free, required: false, schema: {openAPIV3Schema: {type: object, properties: {x: {type: string}}}}}
    - name: object
      required: false
      schema: {openAPIV3Schema: {type: object, properties: {cidr: {type: string}, inner: {type: string}}}}
    - name: peers
      required: false
      schema: {openAPIV3Schema: {type: array, items: {type: object, properties: {name: {type: integer}, ports: {type: array, items: {type: integer}}}}}}
`

func other(t testing.TB) *Schema {
	t.Helper()
	var cc clusterv1.ClusterClass
	if err := yaml.UnmarshalStrict([]byte(otherClass), &cc); err != nil {
		t.Fatal(err)
	}
	return NewSchema(&cc)
}

func TestRebaseKeepsWhatFitsAndListsTheRest(t *testing.T) {
	from, to := every(t), other(t)
	for name, tc := range map[string]struct{ before, after, aside string }{
		"same":               {`{"text":"abc"}`, `{"text":"abc"}`, ``},
		"a wider type":       {`{"count":5}`, `{"count":5}`, ``},
		"a choice":           {`{"zone":"a"}`, `{"zone":"a"}`, ``},
		"a choice no more":   {`{"zone":"1"}`, `{}`, `zone no-fit "1"`},
		"another type":       {`{"flag":true}`, `{}`, `flag no-fit true`},
		"no such variable":   {`{"percent":"10%"}`, `{}`, `percent undefined "10%"`},
		"YAML into fields":   {`{"free":{"x":"a"}}`, `{"free":{"x":"a"}}`, ``},
		"part of an object":  {`{"object":{"cidr":"x","mtu":1,"inner":{"a.b":"y"}}}`, `{"object":{"cidr":"x"}}`, `object.inner no-fit {"a.b":"y"};object.mtu no-field 1`},
		"inside of rows":     {`{"peers":[{"name":"a","ports":[1]},{"ports":[]}]}`, `{"peers":[{"ports":[1]},{"ports":[]}]}`, `peers[0].name no-fit "a"`},
		"empty containers":   {`{"peers":[],"object":{}}`, `{"object":{},"peers":[]}`, ``},
		"what had no place":  {`{"object":{"bogus":1}}`, `{"object":{"bogus":1}}`, ``},
		"values in YAML":     {`{"count":"x"}`, `{"count":"x"}`, ``},
		"a null stays a row": {`{"peers":[null]}`, `{"peers":[null]}`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			state := FromVariables(from, "v", vars(t, tc.before)).Rebase(to)
			state = Parse(to, "v", state.Values())
			out, faults := state.Variables()
			if len(faults) > 0 {
				t.Fatal(said(t, faults))
			}
			var aside string
			for _, a := range state.Aside {
				if aside != "" {
					aside += ";"
				}
				aside += a.Path + " " + string(a.Why) + " " + string(a.Value)
			}
			if got := text(t, out); got != tc.after || aside != tc.aside {
				t.Errorf("got %s aside %s\nwant %s aside %s", got, aside, tc.after, tc.aside)
			}
		})
	}
}

func TestRebaseThereAndBack(t *testing.T) {
	from, to := every(t), other(t)
	state := FromVariables(from, "v", vars(t, `{"percent":"10%","text":"abc"}`)).Rebase(to).Rebase(from)
	out, _ := state.Variables()
	if got, want := text(t, out), `{"percent":"10%","text":"abc"}`; got != want || len(state.Aside) > 0 {
		t.Errorf("got %s aside %v, want %s", got, state.Aside, want)
	}
}

func TestTypedTextStaysAcrossClasses(t *testing.T) {
	from, to := every(t), other(t)
	state := Parse(from, "v", url.Values{
		"v.count": {"three"}, "v.peers.~i0.ports.~i0": {"x"}, "v.object.mtu": {"wide"},
	}).Rebase(to)
	values := state.Values()
	if values.Get("v.peers.~i0.ports.~i0") != "x" || values.Get("v.count") != "three" {
		t.Errorf("lost: %v", values)
	}
	want := map[string]string{"object.mtu": "wide"}
	for _, a := range state.Aside {
		if want[a.Path] != a.Text {
			t.Errorf("aside %+v", a)
		}
		delete(want, a.Path)
	}
	if len(want) > 0 {
		t.Errorf("lost %v", want)
	}
}

func TestTakingWhatIsAside(t *testing.T) {
	state := FromVariables(every(t), "v", vars(t, `{"flag":true}`)).Rebase(other(t))
	next, focus, _, err := state.Do(state.AsideAction(VerbTake, 0))
	if err != nil || focus != "v.flag.~yaml" || len(next.Aside) != 0 || len(state.Aside) != 1 {
		t.Fatal(focus, err, next.Aside, state.Aside)
	}
	out, _ := next.Variables()
	if got := text(t, out); got != `{"flag":true}` {
		t.Error(got)
	}
}

func TestAnOverrideStartsFromTheCluster(t *testing.T) {
	schema := every(t)
	cluster := FromVariables(schema, "v", vars(t, `{"object":{"cidr":"x"}}`))
	pool := NewState(schema, "p0").Override("object", cluster).Override("count", cluster)
	out, _ := pool.Variables()
	if got, want := text(t, out), `{"count":3,"object":{"cidr":"x"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if n := pool.Node("p0.object.cidr"); n == nil || n.Text != "x" {
		t.Errorf("got %+v", n)
	}
}

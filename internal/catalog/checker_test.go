package catalog

import (
	"net/url"
	"strings"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// valid are variables of the class "every" without a fault.
const valid = `{"text":"abc","needed":{"region":"r","sub":{"id":1}}}`

func withValid(t *testing.T, schema *Schema, object string) State {
	t.Helper()
	return FromVariables(schema, "v", append(vars(t, valid), vars(t, object)...))
}

func TestValidValuesHaveNoFaults(t *testing.T) {
	schema := every(t)
	checker := NewChecker(schema)
	for _, object := range []string{
		`{}`,
		`{"count":9,"ratio":0.1,"flag":true,"zone":"","anything":{"a":[1]},"percent":"10%","cidr":"10.0.0.0/8"}`,
		`{"object":{"cidr":"10.0.0.0/8","inner":{"a.b":""}}}`,
		`{"peers":[{"name":"a","ports":[1,2]}],"labels":{"a":"b"},"deepmap":{"x":{}},"open":{"more":1},"free":[null]}`,
		`{"big":9007199254740994,"free":-18014398509481984,"oneof":{"a":"x"},"anyof":{"a":"x","b":"y"},"allof":3,"excluded":"good","matrix":[[1.5]]}`,
	} {
		state := withValid(t, schema, object)
		if faults := checker.Check(t.Context(), state, nil); len(faults) > 0 {
			t.Errorf("%s: %s", object, said(t, faults))
		}
	}
}

func TestOneFaultAtItsInput(t *testing.T) {
	schema := every(t)
	checker := NewChecker(schema)
	for name, tc := range map[string]struct{ object, at, words string }{
		"too short":            {`{"text":"a"}`, "v.text", "Must have at least 2 characters."},
		"too long":             {`{"text":"abcdef"}`, "v.text", "Must have at most 5 characters."},
		"characters, not byte": {`{"text":"中文中文中文"}`, "v.text", "Must have at most 5 characters."},
		"pattern":              {`{"text":"ABC"}`, "v.text", "Must match the pattern ^[a-z:]+$"},
		"below minimum":        {`{"count":-1}`, "v.count", "Must be 0 or more."},
		"exclusive maximum":    {`{"count":10}`, "v.count", "Must be less than 10."},
		"exclusive minimum":    {`{"ratio":0}`, "v.ratio", "Must be more than 0."},
		"another type":         {`{"count":"x"}`, "v.count.~yaml", "Must be a whole number."},
		"no choice":            {`{"zone":"b"}`, "v.zone.~yaml", `Must be one of: a, "", 1.`},
		"format":               {`{"cidr":"10"}`, "v.cidr", "Must have the format cidr."},
		"null":                 {`{"peers":[null]}`, "v.peers.~i0.~yaml", "Must be an object."},
		"required below":       {`{"object":{"cidr":"10.0.0.0/8"}}`, "v.object.inner.a~2Eb", "This is required."},
		"below a default":      {`{"object":{"cidr":"10.0.0.0/8","inner":{"a.b":""},"mtu":9}}`, "v.object.mtu", "Must be 576 or more."},
		"rule with fieldPath":  {`{"object":{"cidr":"10.0.0.0/8","inner":{"a.b":""},"mtu":9500}}`, "v.object.mtu", "mtu: jumbo frames are off"},
		"rule in a row":        {`{"peers":[{"name":"a"},{"name":"self"}]}`, "v.peers.~i1", "not self"},
		"pattern in a row":     {`{"peers":[{"name":"a"},{"name":"B"}]}`, "v.peers.~i1.name", "Must match the pattern ^[a-z]+$"},
		"same entries":         {`{"peers":[{"name":"a","ports":[1,2,1]}]}`, "v.peers.~i0.ports", "No two entries may be the same."},
		"few entries":          {`{"peers":[]}`, "v.peers", "Needs at least 1 entry."},
		"many entries":         {`{"peers":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]}`, "v.peers", "Takes at most 3 entries."},
		"few fields":           {`{"labels":{}}`, "v.labels", "Needs at least 1 field."},
		"value of a map":       {`{"labels":{"a.b":"x","a.c":"long"}}`, "v.labels.~r1", "Must have at most 3 characters."},
		"unknown field":        {`{"object":{"cidr":"10.0.0.0/8","inner":{"a.b":""},"bogus":1}}`, "v.object.~rest", "The class has no field bogus here: remove it."},
		"unknown in a row":     {`{"peers":[{"name":"a","x":1}]}`, "v.peers.~i0.~rest", "The class has no field x here: remove it."},
		"inside YAML":          {`{"labels":{"":"x","k":"long"}}`, "v.labels.~yaml", "k: Must have at most 3 characters."},
		"oneOf, none":          {`{"oneof":{}}`, "v.oneof", "Set exactly one of: a, b."},
		"oneOf, both":          {`{"oneof":{"a":"","b":""}}`, "v.oneof", "Set exactly one of: a, b."},
		"anyOf":                {`{"anyof":{}}`, "v.anyof", "Set at least one of: a, b."},
		"allOf":                {`{"allof":5}`, "v.allof", "Must be 4 or less."},
		"not":                  {`{"excluded":"bad"}`, "v.excluded", "Meets a condition that the class excludes."},
		"beyond 2^53":          {`{"big":9007199254740993}`, "v.big", "Cluster API can't keep this number exactly, it would become 9007199254740992: choose a smaller one."},
		"beyond 2^53 in YAML":  {`{"free":{"a":[-9007199254740993]}}`, "v.free", "[a][0]: Cluster API can't keep this number exactly, it would become -9007199254740992: choose a smaller one."},
		"beyond int64":         {`{"count":123456789012345678901234567890}`, "v.count", "Must be less than 10."},
	} {
		t.Run(name, func(t *testing.T) {
			state := Parse(schema, "v", withValid(t, schema, tc.object).Values())
			faults := checker.Check(t.Context(), state, nil)
			for _, f := range faults {
				if f.Field == tc.at && said(t, []fail.Fault{f}) == tc.at+" "+tc.words {
					return
				}
			}
			t.Errorf("want %s %s\ngot  %s", tc.at, tc.words, said(t, faults))
		})
	}
}

func TestRequiredStandsAtTheInnermostInputs(t *testing.T) {
	schema := every(t)
	faults := NewChecker(schema).Check(t.Context(), NewState(schema, "v"), nil)
	want := "v.text This is required.\nv.needed.region This is required.\nv.needed.sub.id This is required."
	if got := said(t, faults); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestOverridesRequireNothing(t *testing.T) {
	schema := every(t)
	checker := NewChecker(schema)
	state := FromVariables(schema, "p0", vars(t, `{"count":1}`))
	if faults := checker.CheckOverrides(t.Context(), state, nil); len(faults) > 0 {
		t.Error(said(t, faults))
	}
	if got := VariablesOf(checker.Defaulted(state, false)); text(t, got) != `{"count":1}` {
		t.Errorf("defaulting made variables: %s", text(t, got))
	}
}

func TestRulesAboutChange(t *testing.T) {
	schema := every(t)
	checker := NewChecker(schema)
	state := withValid(t, schema, `{"object":{"cidr":"10.0.0.0/8","inner":{"a.b":""}}}`)
	old := vars(t, `{"object":{"cidr":"10.0.0.0/9","inner":{"a.b":""}}}`)
	if got, want := said(t, checker.Check(t.Context(), state, old)), "v.object.cidr cidr can't change"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if faults := checker.Check(t.Context(), state, nil); len(faults) > 0 {
		t.Errorf("a new cluster has no old value: %s", said(t, faults))
	}
}

func TestTypedFaultsSilenceTheSchema(t *testing.T) {
	schema := every(t)
	values := withValid(t, schema, `{}`).Values()
	values.Set("v.matrix.~i0.~i0", "x")
	values.Set("v.matrix.~i0.~i1", "2")
	got := said(t, NewChecker(schema).Check(t.Context(), Parse(schema, "v", values), nil))
	if want := "v.matrix.~i0.~i0 Must be a number, like 1.5."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAConflictingClassBlocks(t *testing.T) {
	cc := classFrom(t, "every.yaml")
	yes := true
	cc.Status.Variables = []clusterv1.ClusterClassStatusVariable{{Name: "x", DefinitionsConflict: &yes}}
	schema := NewSchema(cc)
	faults := NewChecker(schema).Check(t.Context(), NewState(schema, "v"), nil)
	if len(faults) != 1 || fault(faults[0].Text.Key) != faultConflict {
		t.Errorf("got %+v", faults)
	}
}

func TestDefaultsAreMarked(t *testing.T) {
	schema := every(t)
	values := url.Values{"v.object.cidr": {"10.0.0.0/8"}, "v.object.inner.~set": {"1"}, "v.deepmap.~r0.~key": {"k"}}
	state := Parse(schema, "v", values)
	var got strings.Builder
	for _, l := range Lines(NewChecker(schema).Defaulted(state, true)) {
		mark := "  "
		if l.Added {
			mark = "d "
		}
		got.WriteString(mark + l.Text + "\n")
	}
	want := `  - name: object
    value:
      cidr: "10.0.0.0/8"
      inner:
d       a/c: x
d     mode: slow
d     mtu: 1500
  - name: deepmap
    value:
      k:
d       size: 2
d - name: count
d   value: 3
d - name: flag
d   value: false
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// said is faults as lines of English.
func said(t testing.TB, faults []fail.Fault) string {
	t.Helper()
	catalogue, err := message.Load()
	if err != nil {
		t.Fatal(err)
	}
	printer := catalogue.Printer("en")
	var lines []string
	for _, f := range faults {
		lines = append(lines, f.Field+" "+printer.Say(f.Text))
	}
	return strings.Join(lines, "\n")
}

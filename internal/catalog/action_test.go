package catalog

import (
	"errors"
	"testing"
)

func TestActions(t *testing.T) {
	schema := every(t)
	for name, tc := range map[string]struct{ before, do, after, focus string }{
		"set from the default":     {`{}`, "set v.count", `{"count":3}`, "v.count"},
		"set without a default":    {`{}`, "set v.text", `{"text":""}`, "v.text"},
		"set an object":            {`{}`, "set v.object", `{"object":{}}`, "v.object.cidr"},
		"set below an unset":       {`{}`, "set v.object.optional.deep", `{"object":{"optional":{"deep":7}}}`, "v.object.optional.deep"},
		"set again keeps":          {`{"count":5}`, "set v.count", `{"count":5}`, "v.count"},
		"unset":                    {`{"count":5,"text":"a"}`, "unset v.count", `{"text":"a"}`, "v.count"},
		"unset an object":          {`{"object":{"cidr":"x","inner":{"a.b":"y"}}}`, "unset v.object.inner", `{"object":{"cidr":"x"}}`, "v.object.inner"},
		"add the first row":        {`{}`, "add v.peers", `{"peers":[{}]}`, "v.peers.~i0.name"},
		"add a row in a row":       {`{"matrix":[[1]]}`, "add v.matrix", `{"matrix":[[1],[]]}`, "v.matrix.~i1"},
		"remove":                   {`{"matrix":[[1],[2],[3]]}`, "remove v.matrix.~i1", `{"matrix":[[1],[3]]}`, "v.matrix.~i1.~i0"},
		"remove the last":          {`{"matrix":[[1],[2]]}`, "remove v.matrix.~i1", `{"matrix":[[1]]}`, "v.matrix.~i0.~i0"},
		"remove the only":          {`{"peers":[{"name":"a"}]}`, "remove v.peers.~i0", `{"peers":[]}`, "v.peers"},
		"up":                       {`{"matrix":[[1],[2]]}`, "up v.matrix.~i1", `{"matrix":[[2],[1]]}`, "v.matrix.~i0.~i0"},
		"up at the top":            {`{"matrix":[[1],[2]]}`, "up v.matrix.~i0", `{"matrix":[[1],[2]]}`, "v.matrix.~i0.~i0"},
		"down":                     {`{"matrix":[[1],[2]]}`, "down v.matrix.~i0", `{"matrix":[[2],[1]]}`, "v.matrix.~i1.~i0"},
		"remove from a map":        {`{"labels":{"a":"1","b":"2"}}`, "remove v.labels.~r0", `{"labels":{"b":"2"}}`, "v.labels.~r0.~key"},
		"to YAML":                  {`{"matrix":[[1],[2]]}`, "yaml v.matrix", `{"matrix":[[1],[2]]}`, "v.matrix.~yaml"},
		"back to fields":           {`{"labels":{"":"x"}}`, "yaml v.labels", `{"labels":{"":"x"}}`, "v.labels.~yaml"},
		"a default list":           {`{}`, "add v.matrix", `{"matrix":[[]]}`, "v.matrix.~i0"},
		"an undefined one dropped": {`{"gone":1,"text":"a"}`, "drop v.~aside.~i0", `{"text":"a"}`, "v.~aside"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := ParseAction(tc.do)
			if err != nil {
				t.Fatal(err)
			}
			before := FromVariables(schema, "v", vars(t, tc.before))
			kept := before.Values().Encode()
			after, focus, fault, err := before.Do(a)
			if err != nil || fault != nil {
				t.Fatal(err, fault)
			}
			out, _ := Parse(schema, "v", after.Values()).Variables()
			if got := text(t, out); got != tc.after || focus != tc.focus {
				t.Errorf("got %s at %s, want %s at %s", got, focus, tc.after, tc.focus)
			}
			if before.Values().Encode() != kept {
				t.Error("the state before was changed")
			}
		})
	}
}

func TestANewMapRowWaitsForItsKey(t *testing.T) {
	schema := every(t)
	state, focus, _, err := NewState(schema, "v").Do(Action{VerbAdd, "v.deepmap"})
	if err != nil || focus != "v.deepmap.~r0.~key" {
		t.Fatal(focus, err)
	}
	_, faults := Parse(schema, "v", state.Values()).Variables()
	if got, want := said(t, faults), "v.deepmap.~r0.~key Give this entry a name."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestYAMLAndBack(t *testing.T) {
	schema := every(t)
	state := FromVariables(schema, "v", vars(t, `{"peers":[{"name":"a","ports":[1]}],"labels":{"":"x"}}`))
	for _, do := range []string{"yaml v.peers.~i0", "fields v.peers.~i0", "yaml v.peers", "fields v.peers"} {
		a, err := ParseAction(do)
		if err != nil {
			t.Fatal(err)
		}
		next, _, fault, err := state.Do(a)
		if err != nil || fault != nil {
			t.Fatal(do, err, fault)
		}
		state = next
	}
	out, _ := state.Variables()
	if got, want := text(t, out), `{"labels":{"":"x"},"peers":[{"name":"a","ports":[1]}]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	_, _, f, _ := state.Do(Action{VerbFields, "v.labels"})
	if f == nil || fault(f.Text.Key) != faultNoControl {
		t.Errorf("got %+v, want a fault", f)
	}
}

func TestActionsOnNothing(t *testing.T) {
	for _, value := range []string{"", "add", "jump v.text", "add "} {
		if _, err := ParseAction(value); !errors.Is(err, ErrAction) {
			t.Errorf("%q: %v", value, err)
		}
	}
	state := FromVariables(every(t), "v", vars(t, `{"peers":[{"name":"a"}],"text":"a"}`))
	for _, a := range []Action{
		{VerbAdd, "v.text"}, {VerbAdd, "v.none"}, {VerbRemove, "v.text"}, {VerbUnset, "v.peers.~i0"},
		{VerbUp, "v.peers"}, {VerbDrop, "v.text"}, {VerbDrop, "v.~aside.~i0"}, {VerbRemove, "v.peers.~i1"},
	} {
		if _, _, _, err := state.Do(a); !errors.Is(err, ErrAction) {
			t.Errorf("%s: %v", a, err)
		}
	}
}

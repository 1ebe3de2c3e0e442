package catalog

import (
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVariablesSurviveTheForm(t *testing.T) {
	schema := every(t)
	for name, object := range map[string]string{
		"nothing":                    `{}`,
		"scalars":                    `{"text":"abc","count":0,"ratio":0.5,"flag":false,"zone":"a"}`,
		"empty text":                 `{"text":"","zone":""}`,
		"big integers":               `{"big":9007199254740993,"free":{"n":123456789012345678901234567890}}`,
		"numbers as written":         `{"ratio":1e-7,"matrix":[[1.50,-0.25],[]]}`,
		"choices of any type":        `{"anything":{"a":[1]}}`,
		"a choice that looks alike":  `{"anything":"1"}`,
		"integer of int-or-string":   `{"percent":10}`,
		"text of int-or-string":      `{"percent":"10%"}`,
		"digits of int-or-string":    `{"percent":"10"}`,
		"empty containers":           `{"object":{},"peers":[],"labels":{},"open":{},"free":{}}`,
		"nested":                     `{"object":{"cidr":"10.0.0.0/8","inner":{"a.b":"x","a/c":""}},"peers":[{"name":"a","ports":[1,2]},{"name":"b","ports":[]}]}`,
		"maps":                       `{"labels":{"a.b/c[0]":"x","~":"y"},"deepmap":{"k":{"size":1},"l":{}}}`,
		"a map with an empty key":    `{"labels":{"":"x"}}`,
		"further fields":             `{"open":{"known":"x","more":{"n":1},"list":[null]}}`,
		"fields nobody asked for":    `{"object":{"bogus":true}}`,
		"values of the wrong type":   `{"count":"three","object":[1],"peers":{"a":1},"flag":"true","labels":{"a":1},"zone":7}`,
		"nulls":                      `{"text":null,"object":{"mtu":null},"peers":[null],"free":null}`,
		"odd names":                  `{"with~odd/[name]":"x"}`,
		"lines, tabs, quotes":        `{"password":"\na\r\nb\tc\"'<>&","free":"x\r","with~odd/[name]":" a\n b \n\n"}`,
		"text that looks like YAML":  `{"open":{"a":"yes","b":"1.0","c":"# x","d":"- y","e":"2001-01-01","f":"0x1F","g":"~","h":" ","i":"a: b","j":"|"}}`,
		"characters of all kinds":    `{"text":"中文 \u0000 \u0085 \u2028 \ufeff 😀"}`,
		"free text, several lines":   `{"free":"a\nb\n","open":{"x":"a\n\n  b","y":"a\n","z":"\n"}}`,
		"numbers that are no longer": `{"count":1.0,"big":1e3}`,
	} {
		t.Run(name, func(t *testing.T) {
			in := vars(t, object)
			state := Parse(schema, "v", FromVariables(schema, "v", in).Values())
			out, faults := state.Variables()
			if len(faults) > 0 {
				t.Fatalf("faults: %+v", faults)
			}
			if want, got := text(t, in), text(t, out); want != got {
				t.Errorf("went in %s\ncame out %s", want, got)
			}
			if len(state.Aside) > 0 {
				t.Errorf("aside: %+v", state.Aside)
			}
		})
	}
}

func TestUnsetEmptyAndDefaultDiffer(t *testing.T) {
	schema := every(t)
	for name, tc := range map[string]struct {
		values url.Values
		want   string
	}{
		"not touched":             {url.Values{"v.text": {""}, "v.count": {""}, "v.flag": {""}, "v.object.mtu": {""}}, `{}`},
		"empty on purpose":        {url.Values{"v.text": {""}, "v.text.~set": {"1"}}, `{"text":""}`},
		"typed":                   {url.Values{"v.text": {"abc"}}, `{"text":"abc"}`},
		"the default, typed":      {url.Values{"v.count": {"3"}}, `{"count":3}`},
		"object set":              {url.Values{"v.object.~set": {"1"}}, `{"object":{}}`},
		"object by its inside":    {url.Values{"v.object.inner.a~2Eb": {"x"}}, `{"object":{"inner":{"a.b":"x"}}}`},
		"list set":                {url.Values{"v.peers.~set": {"1"}}, `{"peers":[]}`},
		"row without text":        {url.Values{"v.matrix.~i0.~set": {"1"}}, `{"matrix":[[]]}`},
		"gaps in rows close":      {url.Values{"v.matrix.~i7.~i3": {"2"}, "v.matrix.~i7.~i1": {"1"}}, `{"matrix":[[1,2]]}`},
		"a box after a hidden no": {url.Values{"v.flag": {"", "true"}}, `{"flag":true}`},
		"spaces around a number":  {url.Values{"v.count": {" 3 "}}, `{"count":3}`},
		"line ends of a browser":  {url.Values{"v.text": {"a\r\nb"}}, `{"text":"a\nb"}`},
		"YAML":                    {url.Values{"v.peers.~yaml": {"- name: a\n- {name: b}"}}, `{"peers":[{"name":"a"},{"name":"b"}]}`},
		"other scopes":            {url.Values{"p0.text": {"abc"}, "v2.text": {"abc"}}, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			state := Parse(schema, "v", tc.values)
			out, faults := state.Variables()
			if len(faults) > 0 {
				t.Fatalf("faults: %+v", faults)
			}
			if got := text(t, out); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestTypedTextStaysWithItsFault(t *testing.T) {
	schema := every(t)
	for name, tc := range map[string]struct {
		values url.Values
		at     string
		want   fault
	}{
		"no integer":         {url.Values{"v.count": {"three"}}, "v.count", faultInteger},
		"no number":          {url.Values{"v.ratio": {"1,5"}}, "v.ratio", faultNumber},
		"no boolean":         {url.Values{"v.flag": {"maybe"}}, "v.flag", faultBoolean},
		"no choice":          {url.Values{"v.zone": {`"z"`}}, "v.zone", faultEnum},
		"empty row":          {url.Values{"v.matrix.~i0.~i0": {""}}, "v.matrix.~i0.~i0", faultEmpty},
		"no YAML":            {url.Values{"v.free": {"{"}}, "v.free", faultYAMLLine},
		"aliases":            {url.Values{"v.free": {"[&a x, *a]"}}, "v.free", faultYAMLLine},
		"twice in YAML":      {url.Values{"v.free": {"a: 1\na: 2"}}, "v.free", faultYAMLLine},
		"two documents":      {url.Values{"v.free": {"a\n---\nb"}}, "v.free", faultYAML},
		"infinite":           {url.Values{"v.free": {".inf"}}, "v.free", faultYAMLLine},
		"empty YAML":         {url.Values{"v.object.~yaml": {" "}}, "v.object.~yaml", faultEmpty},
		"no key":             {url.Values{"v.labels.~r0": {"x"}}, "v.labels.~r0.~key", faultKeyEmpty},
		"key twice":          {url.Values{"v.labels.~r0.~key": {"a"}, "v.labels.~r1.~key": {"a"}}, "v.labels.~r1.~key", faultKeyTwice},
		"rest is no map":     {url.Values{"v.open.~rest": {"x"}}, "v.open.~rest", faultRestMap},
		"rest has own field": {url.Values{"v.open.~rest": {"known: x"}}, "v.open.~rest", faultRestTwice},
	} {
		t.Run(name, func(t *testing.T) {
			state := Parse(schema, "v", tc.values)
			_, faults := state.Variables()
			if len(faults) != 1 || faults[0].Field != tc.at || fault(faults[0].Text.Key) != tc.want {
				t.Fatalf("got %+v, want %s at %s", faults, tc.want, tc.at)
			}
			for key, texts := range tc.values {
				if got := state.Values()[key]; !slices.Equal(got, texts) {
					t.Errorf("%s was %q and became %q", key, texts, got)
				}
			}
		})
	}
}

func TestWhatTheFormHasNoPlaceForIsAside(t *testing.T) {
	schema := every(t)
	state := FromVariables(schema, "v", vars(t, `{"gone":{"a":1},"text":"abc"}`))
	state = Parse(schema, "v", state.Values())
	want := []Aside{{Variable: "gone", Path: "gone", Value: []byte(`{"a":1}`), Why: AsideUndefined}}
	if diff := cmp.Diff(want, state.Aside); diff != "" {
		t.Error(diff)
	}
	state = Parse(schema, "v", url.Values{"v.old.x": {"typed"}, "v.text.sub": {"typed too"}})
	want = []Aside{
		{Variable: "old", Path: "old.x", Text: "typed", Why: AsideChanged},
		{Variable: "text", Path: "text.sub", Text: "typed too", Why: AsideChanged},
	}
	if diff := cmp.Diff(want, state.Aside); diff != "" {
		t.Error(diff)
	}
}

func TestTheOrderOfACluster(t *testing.T) {
	schema := every(t)
	in := append(vars(t, `{"zone":"a"}`), vars(t, `{"count":1,"text":"abc"}`)...)
	state := Parse(schema, "v", FromVariables(schema, "v", in).Values())
	state.Variable("big").fill(nil)
	out, _ := state.Variables()
	var names []string
	for _, v := range out {
		names = append(names, v.Name)
	}
	if want := []string{"zone", "count", "text", "big"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

package catalog

import (
	"net/url"
	"testing"
)

// A part of a variable that was aside comes back to its own place, and is taken
// to its own place: never for the whole of the variable.
func TestPartsThatWereAsideComeBack(t *testing.T) {
	from, to := every(t), other(t)
	values := url.Values{"v.object.~set": {"1"}, "v.object.cidr": {"10.0.0.0/8"}, "v.object.mtu": {"9o00"}, "v.needed.region": {"eu"}, "v.needed.sub.id": {"x"}}
	away := Parse(from, "v", values).Rebase(to)
	away = Parse(to, "v", away.Values())
	back := away.Rebase(from)
	for name, want := range map[string]string{"v.needed.region": "eu", "v.needed.sub.id": "x", "v.object.cidr": "10.0.0.0/8"} {
		if n := back.Node(name); n == nil || !n.Set || n.Raw || n.Text != want {
			t.Errorf("%s is %+v, want %s", name, n, want)
		}
	}
	if n := back.Variable("needed"); !n.Set || n.Raw {
		t.Errorf("the variable itself: %+v", n)
	}
}

func TestTakeStaysInItsPlace(t *testing.T) {
	state := FromVariables(every(t), "v", vars(t, `{"object":{"cidr":"10.0.0.0/8","mtu":9000,"inner":{"a.b":"y"}}}`)).Rebase(other(t))
	for i, a := range state.Aside {
		if state.Takes(a) != (a.Path == "object.inner") {
			t.Errorf("%s: %v", a.Path, state.Takes(a))
		}
		if a.Path != "object.inner" {
			continue
		}
		next, _, _, err := state.Do(state.AsideAction(VerbTake, i))
		if err != nil {
			t.Fatal(err)
		}
		if n := next.Node("v.object.cidr"); n == nil || n.Text != "10.0.0.0/8" || next.Variable("object").Raw || !next.Node("v.object.inner").Raw {
			t.Errorf("taking a part replaced the whole: %+v", next.Variable("object"))
		}
	}
}

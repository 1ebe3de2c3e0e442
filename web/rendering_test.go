package web

import (
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// Equal pages are built once for each version of the fleet; whoever looks with
// other rights, in another language or at another address gets a build of their
// own.
func TestEqualPagesShareOneRendering(t *testing.T) {
	built := 0
	build := func() (views.Screen, []topology.Topic, error) {
		built++
		return views.Screen{Regions: []views.Region{{ID: "a", Body: templ.Raw("<p id=a></p>")}}}, nil, nil
	}
	key := renderingKey{user: "ada", path: "/clusters/team-a/one", lang: "en"}
	other := func(change func(*renderingKey)) renderingKey { k := key; change(&k); return k }
	all := newRenderings()
	for _, step := range []struct {
		name    string
		key     renderingKey
		version uint64
		want    int // builds so far
	}{
		{"the first page", key, 1, 1},
		{"an equal page", key, 1, 1},
		{"another person", other(func(k *renderingKey) { k.user = "bob" }), 1, 2},
		{"another language", other(func(k *renderingKey) { k.lang = "zh-Hans" }), 1, 3},
		{"another query", other(func(k *renderingKey) { k.path += "?pool=md-0&replicas=3" }), 1, 4},
		{"something has changed", key, 2, 5},
		{"a page that was woken up before that", key, 1, 5},
	} {
		r := all.share(step.key, step.version, time.Hour, build)
		if built != step.want {
			t.Errorf("%s: %d builds, want %d", step.name, built, step.want)
		}
		if r.err != nil || len(r.regions) != 1 || string(r.regions[0].html) != "<p id=a></p>" {
			t.Errorf("%s: got %+v", step.name, r)
		}
	}
}

// A build that panics gives those who wait for it an error, no empty page.
func TestBrokenBuildIsAnError(t *testing.T) {
	all := newRenderings()
	func() {
		defer func() { _ = recover() }()
		all.share(renderingKey{}, 1, time.Hour, func() (views.Screen, []topology.Topic, error) { panic("boom") })
	}()
	r := all.share(renderingKey{}, 1, time.Hour, func() (views.Screen, []topology.Topic, error) {
		t.Error("built again")
		return views.Screen{}, nil, nil
	})
	if r.err == nil {
		t.Error("no error for the second page")
	}
}

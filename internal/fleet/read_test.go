package fleet

import (
	"context"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/topology"
)

// scripted answers from a function alone.
type scripted func(verb, namespace, resource string) bool

func (s scripted) Review(_ context.Context, _ auth.User, q auth.Question) (bool, error) {
	return s(q.Verb, q.Namespace, q.Kind.Resource), nil
}

func (s scripted) Rules(_ context.Context, _ auth.User, ns string) ([]auth.Rule, bool, error) {
	var out []auth.Rule
	for _, verb := range []string{"get", "list"} {
		for _, resource := range []string{"clusters", "machines"} {
			if s(verb, ns, resource) {
				out = append(out, auth.Rule{Verbs: []string{verb}, Groups: []string{clusterv1.GroupVersion.Group}, Resources: []string{resource}})
			}
		}
	}
	return out, true, nil
}

func fill(t testing.TB, f *Fleet, clusters int) {
	t.Helper()
	for i := range clusters {
		c := &clusterv1.Cluster{ObjectMeta: named(fmt.Sprintf("ns-%d", i%100), fmt.Sprintf("c-%d", i))}
		c.UID, c.ResourceVersion = types.UID(c.Name), fmt.Sprint(1000+i)
		c.Spec.Topology.ClassRef.Name = "plain"
		c.Spec.Topology.Version = "v1.34.2"
		put(t, f.cache.clusters, c)
	}
}

func TestListShowsReadableNamespacesAlone(t *testing.T) {
	f := offline(t, scripted(func(_, ns, _ string) bool { return ns == "ns-1" || ns == "ns-2" }))
	fill(t, f, 300)
	rows, err := f.Clusters(t.Context(), auth.User{Name: "u"})
	if err != nil || len(rows) != 6 {
		t.Fatalf("%d rows, %v; want the 3 clusters of each of 2 namespaces", len(rows), err)
	}
	for _, r := range rows {
		if r.Namespace != "ns-1" && r.Namespace != "ns-2" {
			t.Errorf("%s should not be seen", r.Ref)
		}
	}
}

func TestAnUnfilledCacheAnswersNothing(t *testing.T) {
	f := offline(t, scripted(func(string, string, string) bool { return true }))
	f.cache.handled = append(f.cache.handled, func() bool { return false })
	_, err := f.Clusters(t.Context(), auth.User{Name: "u"})
	if fail.CodeOf(err) != fail.Unavailable {
		t.Errorf("got %v, want unavailable rather than an empty list", err)
	}
}

func TestRowsAreMadeAnewOnlyWhenSomethingChanged(t *testing.T) {
	s := newSummaries()
	now := time.Now()
	c := &clusterv1.Cluster{ObjectMeta: named("a", "c1")}
	s.summary(c, nil, true, now)
	made := func() time.Time { return s.rows[rowKey{c, true}].made }
	event := &corev1.Event{ObjectMeta: named("a", "e1")}
	event.ResourceVersion = "5"
	steps := []struct {
		what   string
		c      *clusterv1.Cluster
		events []*corev1.Event
		after  time.Duration
		anew   bool
	}{
		{"nothing", c, nil, time.Second, false},
		{"a new object", c.DeepCopy(), nil, 2 * time.Second, true},
		{"an event", nil, []*corev1.Event{event}, 3 * time.Second, true},
		{"no other event", nil, []*corev1.Event{event}, 4 * time.Second, false},
		{"time", nil, []*corev1.Event{event}, 3*time.Second + rowAge, true},
	}
	for _, step := range steps {
		if step.c != nil {
			c = step.c
		}
		at := now.Add(step.after)
		s.summary(c, step.events, true, at)
		if got := made().Equal(at); got != step.anew {
			t.Errorf("%s: made anew %t, want %t", step.what, got, step.anew)
		}
	}
	s.forget(c)
	if len(s.rows) != 1 {
		t.Errorf("%d rows are left, want only that of the object that was never forgotten", len(s.rows))
	}
}

func TestReached(t *testing.T) {
	tests := []struct {
		have, want string
		reached    bool
	}{
		{"10", "9", true}, {"9", "10", false}, {"10", "10", true},
		{"99999999999999999999", "99999999999999999998", true},
		{"x", "x", true}, {"x", "9", false}, {"", "1", false},
	}
	for _, tc := range tests {
		if got := reached(tc.have, tc.want); got != tc.reached {
			t.Errorf("%s reaches %s: %t, want %t", tc.have, tc.want, got, tc.reached)
		}
	}
}

func TestAwaitEndsWithItsContext(t *testing.T) {
	f := offline(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f.Await(ctx, topology.Ref{Namespace: "a", Name: "c1"}, "1") {
		t.Error("nothing was seen")
	}
	if len(f.hub.topics) != 0 {
		t.Error("the subscription is left")
	}
}

func BenchmarkClusters2000(b *testing.B) {
	for name, everywhere := range map[string]bool{"everywhere": true, "by-namespace": false} {
		b.Run(name, func(b *testing.B) {
			f := offline(b, scripted(func(_, ns, _ string) bool { return everywhere || ns != "" }))
			fill(b, f, 2000)
			b.ReportAllocs()
			for b.Loop() {
				if rows, err := f.Clusters(b.Context(), auth.User{Name: "u"}); err != nil || len(rows) != 2000 {
					b.Fatal(len(rows), err)
				}
			}
		})
	}
}

func TestRowsOfGoneObjectsDoNotPileUp(t *testing.T) {
	s := newSummaries()
	for range 5 * slack {
		s.summary(&clusterv1.Cluster{}, nil, false, time.Now())
		s.limit(1)
	}
	if len(s.rows) > slack+3 {
		t.Errorf("%d rows for one cluster", len(s.rows))
	}
}

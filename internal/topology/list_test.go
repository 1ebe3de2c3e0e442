package topology_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

func TestParseQuery(t *testing.T) {
	cases := []struct {
		url  string
		want topology.Query
		back string // canonical form
	}{
		{"", topology.Query{Page: 1}, ""},
		{"q=+prod+&ns=team-a&class=catalog/plain&version=v1.35.0&state=paused&sort=age&desc=1&page=3",
			topology.Query{Search: "prod", Namespace: "team-a", Class: "catalog/plain", Version: "v1.35.0",
				State: topology.TabPaused, Sort: topology.SortAge, Desc: true, Page: 3},
			"class=catalog%2Fplain&desc=1&ns=team-a&page=3&q=prod&sort=age&state=paused&version=v1.35.0"},
		{"state=exploded&sort=colour&desc=1&page=-4", topology.Query{Page: 1}, ""},
		{"page=1e9", topology.Query{Page: 1}, ""},
		{"page=99999999999999999999", topology.Query{Page: 1}, ""},
		{"sort=name&desc=yes", topology.Query{Sort: topology.SortName, Page: 1}, "sort=name"},
	}
	for _, tc := range cases {
		t.Run(tc.url, func(t *testing.T) {
			v, err := url.ParseQuery(tc.url)
			if err != nil {
				t.Fatal(err)
			}
			q := topology.ParseQuery(v)
			if diff := cmp.Diff(tc.want, q); diff != "" {
				t.Errorf("ParseQuery (-want +got):\n%s", diff)
			}
			if got := q.Values().Encode(); got != tc.back {
				t.Errorf("Values = %q, want %q", got, tc.back)
			}
			if diff := cmp.Diff(q, topology.ParseQuery(q.Values())); diff != "" {
				t.Errorf("round trip (-want +got):\n%s", diff)
			}
		})
	}
}

func row(namespace, name string, kind topology.StateKind, change func(*topology.Summary)) topology.Summary {
	s := topology.Summary{Ref: topology.Ref{Namespace: namespace, Name: name}, UID: namespace + name,
		Class: topology.Ref{Namespace: "catalog", Name: "plain"}, Version: "v1.35.0",
		Created: testkit.Epoch(), State: topology.State{Kind: kind}}
	if change != nil {
		change(&s)
	}
	return s
}

func fleetOfFive() []topology.Summary {
	return []topology.Summary{
		row("team-a", "zeta", topology.StateFailed, nil),
		row("team-a", "beta", topology.StateHealthy, func(s *topology.Summary) {
			s.Version, s.Workers.Desired = "v1.9.0", 7
		}),
		row("team-b", "alpha", topology.StateHealthy, func(s *topology.Summary) {
			s.Labels, s.Workers.Desired = map[string]string{"env": "Prod"}, 30
		}),
		row("team-b", "gamma", topology.StateScaleUp, func(s *topology.Summary) {
			s.Class, s.Created = topology.Ref{Namespace: "other", Name: "plain"}, testkit.Epoch().Add(time.Hour)
		}),
		row("team-b", "delta", topology.StatePaused, func(s *topology.Summary) { s.Class, s.Version = topology.Ref{}, "" }),
	}
}

func TestListOrderAndFilters(t *testing.T) {
	cases := []struct {
		name string
		q    topology.Query
		want []string
	}{
		{"attention, changing, paused, healthy, then by name", topology.Query{}, []string{"zeta", "gamma", "delta", "alpha", "beta"}},
		{"by name", topology.Query{Sort: topology.SortName}, []string{"alpha", "beta", "delta", "gamma", "zeta"}},
		{"by name, downwards", topology.Query{Sort: topology.SortName, Desc: true}, []string{"zeta", "gamma", "delta", "beta", "alpha"}},
		{"by namespace, then name", topology.Query{Sort: topology.SortNamespace}, []string{"beta", "zeta", "alpha", "delta", "gamma"}},
		{"by namespace downwards, names upwards", topology.Query{Sort: topology.SortNamespace, Desc: true}, []string{"alpha", "delta", "gamma", "beta", "zeta"}},
		{"by version, semantically, none first", topology.Query{Sort: topology.SortVersion}, []string{"delta", "beta", "alpha", "gamma", "zeta"}},
		{"by workers", topology.Query{Sort: topology.SortWorkers, Desc: true}, []string{"alpha", "beta", "delta", "gamma", "zeta"}},
		{"by age, youngest first", topology.Query{Sort: topology.SortAge}, []string{"gamma", "alpha", "beta", "delta", "zeta"}},
		{"by state", topology.Query{Sort: topology.SortState}, []string{"zeta", "gamma", "delta", "alpha", "beta"}},
		{"by class", topology.Query{Sort: topology.SortClass}, []string{"delta", "alpha", "beta", "zeta", "gamma"}},
		{"a namespace", topology.Query{Namespace: "team-a"}, []string{"zeta", "beta"}},
		{"a class of a namespace", topology.Query{Class: "other/plain"}, []string{"gamma"}},
		{"a class's name", topology.Query{Class: "plain"}, []string{"zeta", "gamma", "alpha", "beta"}},
		{"a version", topology.Query{Version: "v1.9.0"}, []string{"beta"}},
		{"search in names", topology.Query{Search: "ETA"}, []string{"zeta", "beta"}},
		{"search in labels", topology.Query{Search: "env=prod"}, []string{"alpha"}},
		{"every term must occur", topology.Query{Search: "team-b mm"}, []string{"gamma"}},
		{"a tab", topology.Query{State: topology.TabHealthy}, []string{"alpha", "beta"}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			all := fleetOfFive()
			l := topology.List(all, tc.q)
			var got []string
			for _, s := range l.Rows {
				got = append(got, s.Name)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
			if l.Matching != len(tc.want) || l.Total != 5 {
				t.Errorf("matching %d of %d, want %d of 5", l.Matching, l.Total, len(tc.want))
			}
			if diff := cmp.Diff(fleetOfFive(), all); diff != "" {
				t.Errorf("List changed its input:\n%s", diff)
			}
		})
	}
}

func TestListTabsAndChoices(t *testing.T) {
	l := topology.List(fleetOfFive(), topology.Query{Namespace: "team-b", State: topology.TabPaused})
	want := map[string]int{"": 3, topology.TabAttention: 0, topology.TabChanging: 1, topology.TabPaused: 1, topology.TabHealthy: 1}
	if diff := cmp.Diff(want, l.Tabs); diff != "" {
		t.Errorf("tabs count what matches the rest of the query (-want +got):\n%s", diff)
	}
	if want := []string{"team-a", "team-b"}; !slices.Equal(l.Namespaces, want) {
		t.Errorf("namespaces = %v, want %v", l.Namespaces, want)
	}
	if want := []string{"catalog/plain", "other/plain"}; !slices.Equal(l.Classes, want) {
		t.Errorf("classes = %v, want %v", l.Classes, want)
	}
	if want := []string{"v1.9.0", "v1.35.0"}; !slices.Equal(l.Versions, want) {
		t.Errorf("versions = %v, want %v", l.Versions, want)
	}
}

func TestListPages(t *testing.T) {
	cases := []struct{ clusters, page, wantPage, wantPages, wantRows int }{
		{0, 1, 1, 1, 0},
		{50, 1, 1, 1, 50},
		{51, 2, 2, 2, 1},
		{120, 9, 3, 3, 20},
		{120, 0, 1, 3, 50},
		{120, -7, 1, 3, 50},
	}
	for _, tc := range cases {
		t.Run(fmt.Sprintf("%d clusters, page %d", tc.clusters, tc.page), func(t *testing.T) {
			l := topology.List(manyRows(tc.clusters), topology.Query{Page: tc.page})
			if l.Query.Page != tc.wantPage || l.Pages != tc.wantPages || len(l.Rows) != tc.wantRows {
				t.Errorf("page %d of %d with %d rows, want page %d of %d with %d",
					l.Query.Page, l.Pages, len(l.Rows), tc.wantPage, tc.wantPages, tc.wantRows)
			}
		})
	}
}

func manyRows(n int) []topology.Summary {
	states := []topology.StateKind{topology.StateHealthy, topology.StateFailed, topology.StateScaleUp, topology.StatePaused}
	var out []topology.Summary
	for i := range n {
		out = append(out, row(fmt.Sprintf("team-%d", i%40), fmt.Sprintf("cluster-%04d", (i*7919)%n), states[i%4], func(s *topology.Summary) {
			s.Version = fmt.Sprintf("v1.%d.%d", 30+i%6, i%9)
			s.Labels = map[string]string{"env": "prod", "owner": fmt.Sprintf("group-%d", i%13), "tier": "gold"}
		}))
	}
	return out
}

func BenchmarkList2000(b *testing.B) {
	all := manyRows(2000)
	for name, q := range map[string]topology.Query{
		"attention": {}, "version": {Sort: topology.SortVersion, Desc: true}, "search": {Search: "group-3 gold"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				topology.List(all, q)
			}
		})
	}
}

// What a person may change stands before what they may only read, unless they
// sort otherwise.
func TestMineFirst(t *testing.T) {
	row := func(name string, mine bool, kind topology.StateKind) topology.Summary {
		return topology.Summary{Ref: topology.Ref{Namespace: "n", Name: name}, Mine: mine, State: topology.State{Kind: kind}}
	}
	all := []topology.Summary{row("a", false, topology.StateFailed), row("b", true, topology.StateHealthy), row("c", true, topology.StateFailed)}
	for sort, want := range map[string]string{"": "cba", topology.SortName: "abc", topology.SortState: "acb"} {
		got := ""
		for _, s := range topology.List(all, topology.Query{Sort: sort, Page: 1}).Rows {
			got += s.Name
		}
		if got != want {
			t.Errorf("sorted by %q: %s, want %s", sort, got, want)
		}
	}
}

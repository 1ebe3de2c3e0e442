package topology

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
)

// Tab is the tab of the list that a state stands under.
func (k StateKind) Tab() string {
	switch k {
	case StateFailed, StateStalled, StateOutOfSync, StateUnknown:
		return TabAttention
	case StatePaused:
		return TabPaused
	case StateHealthy:
		return TabHealthy
	default:
		return TabChanging
	}
}

// List filters, sorts and pages the clusters that a person may read. The page
// is clamped to those there are. all is not changed.
func List(all []Summary, q Query) Listing {
	l := Listing{Query: q, Total: len(all), Tabs: map[string]int{
		"": 0, TabAttention: 0, TabChanging: 0, TabPaused: 0, TabHealthy: 0,
	}}
	l.choices(all)
	rows := make([]*Summary, 0, len(all))
	terms := strings.Fields(strings.ToLower(q.Search))
	for i := range all {
		s := &all[i]
		if !q.filters(s) || !contains(s, terms) {
			continue
		}
		tab := s.State.Kind.Tab()
		l.Tabs[""]++
		l.Tabs[tab]++
		if q.State == "" || q.State == tab {
			rows = append(rows, s)
		}
	}
	slices.SortFunc(rows, order(rows, q))
	l.page(rows)
	return l
}

// page cuts out the page asked for.
func (l *Listing) page(rows []*Summary) {
	l.Matching = len(rows)
	l.Pages = max(1, (len(rows)+PageSize-1)/PageSize)
	l.Query.Page = min(max(1, l.Query.Page), l.Pages)
	from := (l.Query.Page - 1) * PageSize
	for _, s := range rows[from:min(from+PageSize, len(rows))] {
		l.Rows = append(l.Rows, *s)
	}
}

func (l *Listing) choices(all []Summary) {
	namespaces, versions := map[string]bool{}, map[string]bool{}
	classes := map[Ref]bool{}
	for i := range all {
		s := &all[i]
		namespaces[s.Namespace] = true
		if s.Version != "" {
			versions[s.Version] = true
		}
		if s.Class.Name != "" {
			classes[s.Class] = true
		}
	}
	l.Namespaces, l.Versions = keys(namespaces), keys(versions)
	for class := range classes {
		l.Classes = append(l.Classes, class.String())
	}
	slices.Sort(l.Namespaces)
	slices.Sort(l.Classes)
	parsed := parseVersions(l.Versions)
	slices.SortFunc(l.Versions, func(a, b string) int { return compareVersions(parsed, a, b) })
}

func keys(set map[string]bool) []string {
	var out []string
	for k := range set {
		out = append(out, k)
	}
	return out
}

func (q Query) filters(s *Summary) bool {
	return (q.Namespace == "" || q.Namespace == s.Namespace) &&
		(q.Version == "" || q.Version == s.Version) &&
		(q.Class == "" || q.Class == s.Class.Name || q.Class == s.Class.String())
}

// contains tells whether every term occurs in the name, the namespace or a
// label, written key=value.
func contains(s *Summary, terms []string) bool {
	for _, term := range terms {
		if !has(s.Name, term) && !has(s.Namespace, term) && !labelled(s.Labels, term) {
			return false
		}
	}
	return true
}

func has(text, term string) bool { return strings.Contains(strings.ToLower(text), term) }

func labelled(labels map[string]string, term string) bool {
	for k, v := range labels {
		if has(k+"="+v, term) {
			return true
		}
	}
	return false
}

// parseVersions parses each text once; versions that can't be read are absent.
func parseVersions(texts []string) map[string]*version.Version {
	out := make(map[string]*version.Version, len(texts))
	for _, text := range texts {
		if v, err := version.ParseSemantic(text); err == nil {
			out[text] = v
		}
	}
	return out
}

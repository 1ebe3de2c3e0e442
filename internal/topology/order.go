package topology

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
)

// states in the order of attention.
func stateOrder() []StateKind {
	return []StateKind{
		StateFailed, StateStalled, StateOutOfSync, StateUnknown, StateDeleting, StateCreating,
		StateUpgrading, StateScaleUp, StateScaleDown, StateRollout, StatePaused, StateHealthy,
	}
}

// order is how rows are sorted: by the column asked for, then by name.
func order(rows []*Summary, q Query) func(a, b *Summary) int {
	first := column(rows, q.Sort)
	if q.Desc {
		ascending := first
		first = func(a, b *Summary) int { return ascending(b, a) }
	}
	return func(a, b *Summary) int {
		if by := first(a, b); by != 0 {
			return by
		}
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Namespace, b.Namespace))
	}
}

func column(rows []*Summary, name string) func(a, b *Summary) int {
	switch name {
	case SortName:
		return func(a, b *Summary) int { return strings.Compare(a.Name, b.Name) }
	case SortNamespace:
		return func(a, b *Summary) int { return strings.Compare(a.Namespace, b.Namespace) }
	case SortClass:
		return func(a, b *Summary) int {
			return cmp.Or(strings.Compare(a.Class.Name, b.Class.Name), strings.Compare(a.Class.Namespace, b.Class.Namespace))
		}
	case SortControlPlane:
		return func(a, b *Summary) int { return compareCounts(a.ControlPlane, b.ControlPlane) }
	case SortWorkers:
		return func(a, b *Summary) int { return compareCounts(a.Workers, b.Workers) }
	case SortAge:
		return func(a, b *Summary) int { return b.Created.Compare(a.Created) }
	case SortVersion:
		return byVersion(rows)
	case SortState:
		return byState(func(k StateKind) int { return slices.Index(stateOrder(), k) })
	default:
		// What the person may change comes first, then what needs attention.
		tabs := []string{TabAttention, TabChanging, TabPaused, TabHealthy}
		attention := byState(func(k StateKind) int { return slices.Index(tabs, k.Tab()) })
		return func(a, b *Summary) int { return cmp.Or(cmp.Compare(one(b.Mine), one(a.Mine)), attention(a, b)) }
	}
}

func byState(rank func(StateKind) int) func(a, b *Summary) int {
	ranks := map[StateKind]int{}
	for _, k := range stateOrder() {
		ranks[k] = rank(k)
	}
	return func(a, b *Summary) int { return cmp.Compare(ranks[a.State.Kind], ranks[b.State.Kind]) }
}

func byVersion(rows []*Summary) func(a, b *Summary) int {
	texts := map[string]bool{}
	for _, s := range rows {
		texts[s.Version] = true
	}
	parsed := parseVersions(keys(texts))
	return func(a, b *Summary) int { return compareVersions(parsed, a.Version, b.Version) }
}

// compareVersions compares semantically; unreadable versions come first.
func compareVersions(parsed map[string]*version.Version, a, b string) int {
	x, y := parsed[a], parsed[b]
	switch {
	case a == b:
		return 0
	case x == nil && y == nil:
		return strings.Compare(a, b)
	case x == nil:
		return -1
	case y == nil:
		return 1
	case x.LessThan(y):
		return -1
	case y.LessThan(x):
		return 1
	default:
		return strings.Compare(a, b)
	}
}

// compareCounts is by the wish, then by what is available.
func compareCounts(a, b Counts) int {
	return cmp.Or(cmp.Compare(a.Desired, b.Desired), cmp.Compare(a.Available, b.Available))
}

// VersionsInUse are the versions of clusters, the newest first.
func VersionsInUse(rows []Summary) []string {
	used := map[string]bool{}
	for i := range rows {
		if v := rows[i].Version; v != "" {
			used[v] = true
		}
	}
	versions := keys(used)
	parsed := parseVersions(versions)
	slices.SortFunc(versions, func(a, b string) int { return compareVersions(parsed, b, a) })
	return versions
}

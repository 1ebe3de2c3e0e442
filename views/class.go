package views

import (
	"sort"
	"strings"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// ClassInput is what the page of one class is made of.
type ClassInput struct {
	Blueprint catalog.Blueprint
	Users     []topology.Summary // the clusters of the class that the person may read
	MayCreate bool               // the person may create clusters somewhere
	Template  *ClassTemplate     // the one that is unfolded; nil when none is
	Missing   []ClassTemplate    // templates that are known not to exist, with a Failure that says so
}

// ClassTemplate is a template of a class with its text, or why there is none.
type ClassTemplate struct {
	Kind, Name, YAML string
	Failure          *fail.Error
}

// The query of a class's page that unfolds a template.
const (
	QueryKind     = "kind"
	QueryTemplate = "template"
)

// classPage is one class as a whole; its parts are the page's regions.
type classPage struct {
	Page
	Head      classHead
	Parts     classParts
	Variables classVariables
	Health    classHealth
	Path      classPath
	Users     classUsers
}

type classHead struct {
	Page
	Namespace, Name, Description string
	NamespaceURL                 templ.SafeURL
	State                        stateView
	Facts                        []factView
	CreateURL                    templ.SafeURL // empty when the person may create nowhere
}

type classHealth struct {
	Page
	Problems []problemView
}

type problemView struct {
	Icon, Tone    string
	Text, Meaning string
	Words         []string
	Since         when
}

// classPath is the versions of a class as the way that upgrades go.
type classPath struct {
	Page
	Versions []pathStep
	Note     string
}

type pathStep struct {
	Version, Count string
	Used           bool
}

type classUsers struct {
	Page
	Title string
	Rows  []userRow
	More  string
	URL   templ.SafeURL
}

type userRow struct {
	URL         templ.SafeURL
	Name, Where string
	State       stateView
	Follows     stateView
}

// maxUsers is how many clusters stand on the page of a class; the list of
// clusters shows the others.
const maxUsers = 20

// Class is the page of one class.
func Class(p Page, in ClassInput) Screen {
	v := newClassPage(p, in)
	return Screen{Title: in.Blueprint.Name, Body: classBody(v), Regions: []Region{
		{ID: "class-head", Body: classHeadline(v.Head)},
		{ID: "class-parts", Body: classBuilds(v.Parts)},
		{ID: "class-vars", Body: classVars(v.Variables)},
		{ID: "class-health", Body: classProblems(v.Health)},
		{ID: "class-path", Body: classVersions(v.Path)},
		{ID: "class-users", Body: classUsedBy(v.Users)},
	}}
}

func newClassPage(p Page, in ClassInput) classPage {
	return classPage{
		Page: p, Head: newClassHead(p, in), Parts: newClassParts(p, in), Variables: newClassVariables(p, in.Blueprint),
		Health: newClassHealth(p, in.Blueprint.Problems), Path: newClassPath(p, in), Users: newClassUsers(p, in),
	}
}

func newClassHead(p Page, in ClassInput) classHead {
	b := in.Blueprint
	v := classHead{
		Page: p, Namespace: b.Namespace, Name: b.Name, Description: b.Description,
		NamespaceURL: templ.SafeURL(p.URLs.Catalog() + "?q=" + b.Namespace), State: classState(p, b.Class),
	}
	fact := func(key message.Key, value string) {
		if value != "" {
			v.Facts = append(v.Facts, factView{p.t(key), value, false})
		}
	}
	fact("views.col.namespace", b.Namespace)
	fact("views.col.versions", versionRange(b.Versions))
	fact("class.used", p.t("class.used.count", message.Num("n", len(in.Users))))
	if in.MayCreate && !b.Blocked() {
		v.CreateURL = templ.SafeURL(p.URLs.CreateFrom(topology.Ref{Namespace: b.Namespace, Name: b.Name}))
	}
	return v
}

func classState(p Page, c catalog.Class) stateView {
	switch {
	case c.Unusable:
		return stateView{"fail", "bad", p.t("class.state.blocked")}
	case !c.Ready:
		return stateView{"stall", "warn", p.t("views.class.unready")}
	case c.Troubles > 0:
		return stateView{"stall", "warn", p.t("class.state.problems", message.Num("n", c.Troubles))}
	}
	return stateView{"ok", "ok", p.t("views.class.ready")}
}

func newClassHealth(p Page, problems []catalog.Problem) classHealth {
	v := classHealth{Page: p}
	for _, problem := range problems {
		row := problemView{
			Icon: "stall", Tone: "text-warn", Text: p.Say.Say(problem.Text), Meaning: p.Say.Say(problem.Meaning), Since: age(problem.Since),
		}
		if problem.Blocks {
			row.Icon, row.Tone = "fail", "text-bad"
		}
		for _, line := range strings.Split(problem.Words, "\n") {
			if line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "*")); line != "" {
				row.Words = append(row.Words, line)
			}
		}
		v.Problems = append(v.Problems, row)
	}
	return v
}

// newClassPath lists the class's versions, newest first; a class without them
// gets the versions in use.
func newClassPath(p Page, in ClassInput) classPath {
	v := classPath{Page: p}
	used := map[string]int{}
	for _, c := range in.Users {
		used[c.Version]++
	}
	versions := in.Blueprint.Versions
	switch {
	case in.Blueprint.Composition.UpgradePlan != "":
		v.Note = p.t("class.path.extension", message.Str("name", in.Blueprint.Composition.UpgradePlan))
	case len(versions) > 0:
		v.Note = p.t("class.path.chain")
	case len(used) == 0:
		v.Note = p.t("class.path.open.unused")
	default:
		v.Note = p.t("class.path.open")
	}
	if len(versions) == 0 {
		for version := range used {
			versions = append(versions, version)
		}
		sort.Strings(versions)
	}
	for i := len(versions) - 1; i >= 0; i-- {
		n := used[versions[i]]
		v.Versions = append(v.Versions, pathStep{versions[i], p.t("class.used.count", message.Num("n", n)), n > 0})
	}
	return v
}

func newClassUsers(p Page, in ClassInput) classUsers {
	v := classUsers{Page: p, Title: p.t("class.used.count", message.Num("n", len(in.Users)))}
	for i, c := range in.Users {
		if i == maxUsers {
			v.More = p.t("class.used.more", message.Num("n", len(in.Users)-maxUsers))
			v.URL = templ.SafeURL(p.URLs.Clusters(topology.Query{Class: in.Blueprint.Name, Page: 1}.Values()))
			break
		}
		v.Rows = append(v.Rows, userRow{
			URL: templ.SafeURL(p.URLs.Cluster(c.Ref)), Name: c.Name, Where: c.Namespace + " · " + c.Version, State: newState(p, c.State),
			Follows: followsState(p, c.Follows, in.Blueprint.Ready),
		})
	}
	return v
}

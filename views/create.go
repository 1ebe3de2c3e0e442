package views

import (
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// CreateInput is what the form of a new cluster is made of.
type CreateInput struct {
	Blueprint  catalog.Blueprint
	Form       topology.CreateForm
	Namespaces []string        // where the person may create clusters
	Versions   []string        // in use, for classes that list none
	Classes    []catalog.Class // to change to
	Faults     []fail.Fault    // shown at their inputs
	Hidden     int             // faults that are not shown yet
	Failure    *fail.Error     // what the management cluster refused as a whole
	Preview    topology.CreatePreview
	Accepted   bool // the dry run said yes
	Checked    time.Time
	Warnings   []string // admission's
	Focus      string   // input that gets the focus
	Max        int      // machines in one pool
	Summary    bool     // the summary of faults gets it instead
	Changed    bool     // the class changed since the form was made
	Typed      bool     // it holds what somebody typed
}

type createView struct {
	Page
	Action            templ.SafeURL
	ID, Generation    string
	From, Cloned      string
	Class             string
	ClassURL          templ.SafeURL
	ClassFacts        string
	ClassText         string // description
	Classes           []entryView
	Notes             []noteView
	Summary           *summaryView
	Basics            []inputView
	Extra             []inputView
	ExtraOpen         bool
	Pools             []poolFormView
	NoWorkers         bool
	AddFocus          bool
	Typed             bool
	Groups            []groupView
	Aside             []asideView
	Kept              keptView
	Hidden            []hiddenView
	Overrides         overrideList
	Preview           previewView
	Machines, Problem string
	Cancel            templ.SafeURL
}

type hiddenView struct{ Name, Value string }

// summaryView is the list of faults on top of the form.
type summaryView struct {
	Title string
	Rows  []summaryRow
	Focus bool
}

type summaryRow struct {
	URL  templ.SafeURL
	Text string
}

// asideView is a value that has no place in the class.
type asideView struct {
	Path, Why, YAML string
	Take, Drop      string
}

// Create is the form of a new cluster.
func Create(p Page, in CreateInput) Screen {
	return Screen{Title: p.t("create.title"), Body: createPage(newCreate(p, in))}
}

// CreateFragment is the form alone, for the script that replaces it.
func CreateFragment(p Page, in CreateInput) templ.Component { return createForm(newCreate(p, in)) }

func newCreate(p Page, in CreateInput) createView {
	f, b := in.Form, in.Blueprint
	class := topology.Ref{Namespace: b.Namespace, Name: b.Name}
	v := createView{
		Page: p, Action: templ.SafeURL(p.URLs.CreateFrom(class)), ID: f.ID, Generation: strconv.FormatInt(f.Generation, 10), From: f.From,
		Class: class.String(), ClassURL: templ.SafeURL(p.URLs.Class(class)), ClassFacts: classFacts(p, b.Class), ClassText: b.Description, Cancel: templ.SafeURL(p.URLs.Clusters(nil)),
		NoWorkers: len(b.Composition.Workers) == 0, AddFocus: in.Focus == topology.DoAddPool, Typed: in.Typed, Notes: createNotes(p, in), Summary: newSummary(p, in),
	}
	for _, c := range in.Classes {
		value := c.Namespace + "/" + c.Name
		v.Classes = append(v.Classes, entryView{value, value, value == class.String()})
	}
	n := newNodes(p, in)
	v.Basics, v.Extra = basics(n), extras(n)
	for _, input := range v.Extra {
		v.ExtraOpen = v.ExtraOpen || len(input.Faults) > 0
	}
	for _, pool := range f.Pools {
		v.Pools = append(v.Pools, newPoolForm(n, pool))
	}
	v.Groups = n.groups(f.Variables)
	v.Overrides = n.overrides(f.Overrides, f.ShowAll, b.Effects.AffectsControlPlane)
	v.Overrides.Focus = in.Focus == topology.InputOverridesCP
	v.Overrides.Open = v.Overrides.Open || v.Overrides.Focus || f.ShowAll
	v.aside(n, f.Variables, f.Overrides)
	for _, pool := range f.Pools {
		v.aside(n, pool.Overrides)
	}
	v.Kept = newKept(p, in)
	for _, h := range []hiddenView{{topology.InputKept, f.Kept.Text()}, {topology.InputAll, mark(f.ShowAll)}, {topology.InputOlder, mark(f.Older)}} {
		if h.Value != "" {
			v.Hidden = append(v.Hidden, h)
		}
	}
	v.Preview = newPreview(p, in)
	v.Machines, v.Problem = v.Preview.Total, v.Preview.Problem
	return v
}

// aside lists what has no place, and carries it and the order along.
func (v *createView) aside(n nodes, states ...catalog.State) {
	for _, s := range states {
		for _, name := range []string{s.AsideName(), s.OrderName()} {
			for _, value := range n.values(s, name) {
				v.Hidden = append(v.Hidden, hiddenView{name, value})
			}
		}
		for i, a := range s.Aside {
			row := asideView{Path: a.Path, YAML: a.YAML(), Why: asideWhy(v.Page, a.Why), Drop: s.AsideAction(catalog.VerbDrop, i).String()}
			if s.Takes(a) {
				row.Take = s.AsideAction(catalog.VerbTake, i).String()
			}
			v.Aside = append(v.Aside, row)
		}
	}
}

func asideWhy(p Page, why catalog.AsideWhy) string {
	switch why {
	case catalog.AsideUndefined:
		return p.t("create.aside.undefined")
	case catalog.AsideNoField:
		return p.t("create.aside.no-field")
	case catalog.AsideChanged:
		return p.t("create.aside.changed")
	}
	return p.t("create.aside.no-fit")
}

func createNotes(p Page, in CreateInput) []noteView {
	var notes []noteView
	if in.Changed {
		notes = append(notes, noteView{Icon: "stall", Look: "", Text: p.t("create.note.changed")})
	}
	switch in.Form.From {
	case "":
	case topology.FromManifest:
		notes = append(notes, noteView{Icon: "info", Look: "note-info", Text: p.t("create.note.manifest")})
	default:
		notes = append(notes, noteView{Icon: "info", Look: "note-info", Text: p.t("create.note.from", message.Str("cluster", in.Form.From))})
	}
	if in.Form.Older {
		notes = append(notes, noteView{Icon: "info", Look: "note-info", Text: p.t("create.note.older")})
	}
	for _, problem := range in.Blueprint.Problems {
		notes = append(notes, noteView{Icon: "stall", Text: p.Say.Say(problem.Text) + " " + p.Say.Say(problem.Meaning)})
	}
	return notes
}

// tone is the colour of a note's icon.
func (n noteView) tone() string {
	if n.Icon == "info" {
		return "text-accent"
	}
	return "text-warn"
}

func newSummary(p Page, in CreateInput) *summaryView {
	if len(in.Faults) == 0 && in.Failure == nil {
		return nil
	}
	v := &summaryView{Title: p.t("create.problems", message.Num("n", len(in.Faults))), Focus: in.Summary}
	if in.Failure != nil && len(in.Faults) == 0 {
		v.Title = p.Say.Say(in.Failure.Text)
	}
	for _, f := range in.Faults {
		row := summaryRow{Text: faultName(p, in, f) + p.Say.Say(f.Text)}
		if f.Field != "" {
			row.URL = templ.SafeURL("#" + f.Field)
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// faultName says which input a fault is about.
func faultName(p Page, in CreateInput, f fail.Fault) string {
	name := ""
	for _, b := range basicNames() {
		if b.input == f.Field {
			name = p.t(b.key)
		}
	}
	for _, pool := range in.Form.Pools {
		prefix := strings.TrimSuffix(pool.Input(""), ".")
		if rest, ok := strings.CutPrefix(f.Field, prefix+"."); ok {
			name = poolTitle(p, pool) + ", " + p.t(poolLabel(rest))
		}
	}
	if name == "" {
		name = overrideName(p, in, f.Field)
	}
	if name == "" {
		name = catalog.ReadableName(f.Field)
	}
	if name == "" || f.Field == "" {
		return ""
	}
	return p.t("create.problem.at", message.Str("name", name)) + " "
}

// overrideName names the variable and what it is overridden for; empty for inputs
// of anything else.
func overrideName(p Page, in CreateInput, input string) string {
	of := func(s catalog.State, whose string) string {
		if s.Prefix == "" || !strings.HasPrefix(input, s.Prefix+".") {
			return ""
		}
		return p.t("create.problem.override", message.Str("whose", whose), message.Str("name", catalog.ReadableName(input)))
	}
	if name := of(in.Form.Overrides, p.t("create.problem.cp")); name != "" {
		return name
	}
	for _, pool := range in.Form.Pools {
		if name := of(pool.Overrides, poolTitle(p, pool)); name != "" {
			return name
		}
	}
	return ""
}

func groupID(i int) string { return "group-" + strconv.Itoa(i) }

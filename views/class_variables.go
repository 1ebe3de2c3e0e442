package views

import (
	"slices"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/message"
)

// classVariables is the documentation of a class's variables, by group.
type classVariables struct {
	Page
	Count  string
	Groups []variableGroup
	Note   string // about patches by runtime extensions; may be empty
}

type variableGroup struct {
	Name string
	Rows []variableRow
}

// variableRow is one field of a variable, at its depth in the tree.
type variableRow struct {
	ID       string
	Name     string
	Depth    int
	Required bool
	Conflict bool // other sources define it otherwise
	Tags     []string
	Type     string
	Default  string
	Limits   []string
	Text     []string // description, help
	Rules    []ruleView
	Example  string
	Source   string
	Affects  []affectView
	Uses     []string
}

type ruleView struct{ Rule, Message string }

type affectView struct{ Icon, Tone, Text string }

func newClassVariables(p Page, b catalog.Blueprint) classVariables {
	required := 0
	v := classVariables{Page: p}
	mixed := slices.ContainsFunc(b.Schema.Variables, func(v *catalog.Variable) bool { return !slices.Equal(v.From, []string{catalog.Inline}) })
	for _, variable := range b.Schema.Variables {
		if variable.Required {
			required++
		}
		rows := definitionRows(p, variable, mixed)
		rows[0].ID = "var-" + variable.Name
		rows[0].Affects, rows[0].Uses = affects(p, b, variable.Name)
		v.add(variable.Hints.Group, rows)
	}
	v.Count = p.t("class.vars.count", message.Num("n", len(b.Schema.Variables)), message.Num("required", required))
	var outside []string
	for _, x := range b.Effects.External() {
		if x.Generates != "" {
			outside = append(outside, x.Patch)
		}
	}
	if len(outside) > 0 {
		v.Note = p.t("class.vars.external", message.Str("patches", strings.Join(outside, ", ")))
	}
	return v
}

// definitionRows documents a variable, with its sources where the class has
// several; where they contradict each other, each definition for itself.
func definitionRows(p Page, v *catalog.Variable, mixed bool) []variableRow {
	if !v.Conflict {
		rows := fieldRows(p, v.Field, 0)
		if mixed {
			rows[0].Source = sourceWords(p, v.From)
		}
		return rows
	}
	var rows []variableRow
	for i, f := range append([]*catalog.Field{v.Field}, v.Others...) {
		definition := fieldRows(p, f, 0)
		definition[0].Conflict = true
		if i < len(v.From) {
			definition[0].Source = sourceWords(p, v.From[i:i+1])
		}
		rows = append(rows, definition...)
	}
	return rows
}

// sourceWords says who defines a variable: the class, or a patch whose runtime
// extension was asked.
func sourceWords(p Page, from []string) string {
	words := make([]string, 0, len(from))
	for _, source := range from {
		if source == catalog.Inline {
			words = append(words, p.t("class.var.inline"))
			continue
		}
		words = append(words, p.t("class.var.patch", message.Str("patch", source)))
	}
	return p.t("class.var.from", message.Str("from", strings.Join(words, ", ")))
}

// add keeps groups in the order of their first variable; the variables of no
// group come first.
func (v *classVariables) add(group string, rows []variableRow) {
	i := slices.IndexFunc(v.Groups, func(g variableGroup) bool { return g.Name == group })
	switch {
	case i >= 0:
		v.Groups[i].Rows = append(v.Groups[i].Rows, rows...)
	case group == "":
		v.Groups = slices.Insert(v.Groups, 0, variableGroup{Rows: rows})
	default:
		v.Groups = append(v.Groups, variableGroup{group, rows})
	}
}

// maxDepth is how far the tree is indented.
const maxDepth = 6

func fieldRows(p Page, f *catalog.Field, depth int) []variableRow {
	row := variableRow{
		Name: f.Name, Depth: min(depth, maxDepth), Required: f.Required, Type: typeName(p, f), Default: string(f.Default),
		Limits: limits(p, f), Example: string(f.Example),
	}
	for _, text := range []string{f.Hints.Label, f.Description, f.Hints.Help} {
		if text != "" {
			row.Text = append(row.Text, text)
		}
	}
	if f.Hints.Advanced || f.Hints.Hidden {
		row.Tags = append(row.Tags, p.t("class.var.advanced"))
	}
	for _, r := range f.Rules {
		said := r.Message
		if said == "" {
			said = r.MessageExpression
		}
		row.Rules = append(row.Rules, ruleView{r.Rule, said})
	}
	rows := []variableRow{row}
	for _, child := range f.Fields {
		rows = append(rows, fieldRows(p, child, depth+1)...)
	}
	if f.Item != nil {
		rows = append(rows, itemRows(p, f, depth)...)
	}
	return rows
}

// itemRows documents the entries of a list or map, where there is more to say
// than their type.
func itemRows(p Page, f *catalog.Field, depth int) []variableRow {
	rows := fieldRows(p, f.Item, depth+1)
	if f.Item.Kind == catalog.KindObject {
		return rows[1:]
	}
	if len(rows) == 1 && len(rows[0].Limits)+len(rows[0].Text)+len(rows[0].Rules) == 0 && rows[0].Default == "" {
		return nil
	}
	rows[0].Name = p.t("class.var.entry")
	return rows
}

// depth is how far a row of the tree stands in.
func depth(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "border-line-strong sm:ml-2 sm:border-l sm:pl-2"
	case 2:
		return "border-line-strong sm:ml-5 sm:border-l sm:pl-2"
	case 3:
		return "border-line-strong sm:ml-8 sm:border-l sm:pl-2"
	case 4:
		return "border-line-strong sm:ml-11 sm:border-l sm:pl-2"
	}
	return "border-line-strong sm:ml-14 sm:border-l sm:pl-2"
}

// stacked is the same on a phone, where the whole row stands in.
func stacked(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "max-sm:pl-8"
	case 2:
		return "max-sm:pl-12"
	case 3:
		return "max-sm:pl-16"
	}
	return "max-sm:pl-20"
}

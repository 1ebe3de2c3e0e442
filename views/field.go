package views

import (
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/message"
)

// nodeView is one field of a form as it is shown.
type nodeView struct {
	Page
	ID, Label   string
	Facts       string   // type and limits in few words
	Help        []string // description and the like
	Required    bool
	Control     control
	Name        string // of the input
	Text        string
	Placeholder string
	Numeric     bool
	Options     []entryView
	Default     string // shown while it is not set
	SetMark     string // hidden marker; empty for none
	EmptyMark   string // box that says: set, but empty
	Empty       bool
	LinesMark   string // hidden marker of a box of several lines; empty for none
	KeyName     string // of rows of a map
	Key         string
	KeyFaults   []string
	Fields      []nodeView
	Advanced    []nodeView
	Open        bool // the advanced ones are unfolded
	Rows        []nodeView
	RestName    string
	Rest        string
	RestFaults  []string
	Faults      []string
	Focus       bool
	KeyFocus    bool
	Words       string // what the search in the form looks at
	IsRow       bool
	Buttons     nodeButtons
}

// nodeButtons are the values of the buttons there are; empty for none.
type nodeButtons struct{ Set, Unset, Add, Remove, Up, Down, YAML, Fields, Lines string }

// below tells whether there are buttons below the field.
func (b nodeButtons) below() bool {
	b.Lines = "" // stands beside the input
	return b != nodeButtons{}
}

// control is how a field is edited.
type control string

const (
	controlText   control = "text"
	controlSecret control = "secret"
	controlArea   control = "area"
	controlRadio  control = "radio"
	controlSelect control = "select"
	controlObject control = "object"
	controlRows   control = "rows"
	controlUnset  control = "unset" // a button that sets it
)

// groupView is the variables of one group, the advanced ones folded.
type groupView struct {
	Name     string
	Count    string
	Fields   []nodeView
	Advanced []nodeView
	Open     bool
}

// nodes makes views of nodes.
type nodes struct {
	p      Page
	in     CreateInput
	faults map[string][]string
}

func newNodes(p Page, in CreateInput) nodes {
	n := nodes{p: p, in: in, faults: map[string][]string{}}
	for _, f := range in.Faults {
		n.faults[f.Field] = append(n.faults[f.Field], p.Say.Say(f.Text))
	}
	return n
}

func (n nodes) say(input string) []string { return n.faults[input] }

func (n nodes) values(s catalog.State, name string) []string { return s.Values()[name] }

// groups puts variables into their groups, the nameless one first.
func (n nodes) groups(s catalog.State) []groupView {
	var groups []groupView
	place := map[string]int{}
	for _, named := range []bool{false, true} {
		for _, node := range s.Shown() {
			name := node.Field.Hints.Group
			if (name != "") != named {
				continue
			}
			if _, ok := place[name]; !ok {
				place[name] = len(groups)
				groups = append(groups, groupView{Name: name})
			}
			groups[place[name]].add(n, node)
		}
	}
	for i := range groups {
		g := &groups[i]
		if g.Name == "" {
			g.Name = n.p.t("class.vars.title")
		}
	}
	return groups
}

func (g *groupView) add(n nodes, node *catalog.Node) {
	v := n.node(node, false)
	if !folded(node) {
		g.Fields = append(g.Fields, v)
		return
	}
	g.Advanced = append(g.Advanced, v)
	g.Open = g.Open || node.Set || v.faulty()
}

// folded: what a person must fill in is never hidden.
func folded(node *catalog.Node) bool {
	h := node.Field.Hints
	return (h.Advanced || h.Hidden) && (!node.Field.Required || node.Field.Default != nil)
}

// faulty tells whether something in the field has a fault.
func (v nodeView) faulty() bool {
	if len(v.Faults)+len(v.KeyFaults)+len(v.RestFaults) > 0 {
		return true
	}
	for _, list := range [][]nodeView{v.Fields, v.Advanced, v.Rows} {
		for _, child := range list {
			if child.faulty() {
				return true
			}
		}
	}
	return false
}

// overrides are the variables of a scope that matter to it, and those that are
// overridden already; all: the others too.
func (n nodes) overrides(s catalog.State, all bool, affects func(variable string) catalog.Answer) overrideList {
	var out overrideList
	out.Crowded = n.crowded()
	for _, node := range s.Shown() {
		if !all && !node.Set && (out.Crowded || affects(node.Field.Name) == catalog.No) {
			out.Hidden++
			continue
		}
		v := n.node(node, true)
		out.Open = out.Open || node.Set || v.faulty()
		out.Fields = append(out.Fields, v)
	}
	return out
}

// manyOverrides is up to how many overrides a form offers unasked.
const manyOverrides = 2000

// crowded tells whether a form has so many pools and variables that only what is
// set is listed for each pool.
func (n nodes) crowded() bool {
	return len(n.in.Form.Pools)*len(n.in.Blueprint.Schema.Variables) > manyOverrides
}

// overrideList are the overrides that are offered for one scope.
type overrideList struct {
	Fields []nodeView
	Hidden int // variables that are not listed: they change nothing there
	// Crowded: others are not listed either, because there are so many.
	Crowded bool
	Open    bool
	Focus   bool
}

// node shows one node; override says that it is the top of an override, which is
// only set by its button.
func (n nodes) node(node *catalog.Node, override bool) nodeView {
	f := node.Field
	v := nodeView{
		Page: n.p, ID: node.Name, Name: node.InputName(), Text: node.Text, Label: labelOf(f), Facts: factsOf(n.p, f), Required: f.Required && !override,
		Faults: n.say(node.InputName()), Focus: n.in.Focus == node.InputName(), IsRow: node.IsRow, Words: strings.ToLower(wordsOf(f)),
	}
	if node.InputName() != node.Name {
		v.Faults = append(v.Faults, n.say(node.Name)...)
	}
	if !node.IsRow {
		v.Help = helpOf(f)
		v.Default = string(f.Default)
	}
	v.Placeholder = f.Hints.Placeholder
	if v.Placeholder == "" && len(f.Example) > 0 {
		v.Placeholder = n.p.t("create.example", message.Str("value", strings.Trim(string(f.Example), `"`)))
	}
	v.Control = controlOf(node, override)
	n.marks(&v, node)
	n.inside(&v, node)
	v.Buttons = buttonsOf(node, v.Control)
	return v
}

func labelOf(f *catalog.Field) string {
	if f.Hints.Label != "" {
		return f.Hints.Label
	}
	return f.Name
}

func factsOf(p Page, f *catalog.Field) string {
	facts := []string{typeName(p, f)}
	if f.Kind != catalog.KindEnum {
		facts = append(facts, limits(p, f)...)
	} else {
		facts = nil
	}
	if f.Hints.Unit != "" {
		facts = append(facts, f.Hints.Unit)
	}
	return strings.Join(facts, p.t("create.facts.comma"))
}

func helpOf(f *catalog.Field) []string {
	var out []string
	for _, text := range []string{f.Description, f.Hints.Help} {
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

func wordsOf(f *catalog.Field) string {
	var words []string
	f.Walk(func(child *catalog.Field) {
		words = append(words, child.Name, child.Hints.Label, child.Description)
	})
	return strings.Join(words, " ")
}

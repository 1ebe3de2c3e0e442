package catalog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// explain puts the words of Kubernetes' validators, ours in process or the
// webhook's, into faults at their inputs: one, or, for a missing object, one at
// each required input in it. redundant says that the words only sum up other
// faults of the same value.
func explain(n *Node, path, words string) (faults []fail.Fault, redundant bool) {
	if inner, ok := rangePath(words); ok && path == "" {
		path = inner
	}
	to := locate(n, path)
	text, what := explainWords(words)
	switch what {
	case faultRequired:
		if to.rest == "" && n.offers(to.node) {
			return []fail.Fault{{Field: to.input, Text: text}}, true
		}
		if to.rest == "" && !to.node.Set && !to.node.Raw {
			return to.node.missing(), false
		}
	case faultAnyOf, faultOneOf:
		redundant = to.node.Field.Kind == KindIntOrString && what == faultAnyOf
		text = choiceText(to.node.Field, what, text)
	case faultAllOf:
		redundant = true
	case faultEnum:
		text = enumText(to.node.Field, text)
	}
	return []fail.Fault{to.within(fail.Fault{Field: to.input, Text: text})}, redundant
}

// phrase is one way in which validators word a fault: what stands before and
// after the argument.
type phrase struct {
	before, after string
	what          fault
	arg           string // name of the argument; "n" is a count
}

// phrases is a table of the wordings of k8s.io/kube-openapi (pkg/validation/
// errors/schema.go), apimachinery's field errors and Cluster API's webhook.
// The first that matches counts.
func phrases() []phrase {
	return []phrase{
		{"should be at most ", " chars long", faultLong, "n"},
		{"may not be more than ", " bytes", faultLong, "n"},
		{"may not be longer than ", "", faultLong, "n"},
		{"should be at least ", " chars long", faultShort, "n"},
		{"should match '", "'", faultPattern, "pattern"},
		{"should be one of ", "", faultEnum, ""},
		{"supported values: ", "", faultEnum, ""},
		{"should be less than or equal to ", "", faultMax, "limit"},
		{"should be greater than or equal to ", "", faultMin, "limit"},
		{"should be less than ", "", faultBelow, "limit"},
		{"should be greater than ", "", faultAbove, "limit"},
		{"shouldn't contain duplicates", "", faultUnique, ""},
		{"should have at most ", " items", faultManyItems, "n"},
		{"must have at most ", " item", faultManyItems, "n"},
		{"should have at least ", " items", faultFewItems, "n"},
		{"should have at most ", " properties", faultManyEntries, "n"},
		{"should have at least ", " properties", faultFewEntries, "n"},
		{"must validate one and only one schema (oneOf)", "", faultOneOf, ""},
		{"must validate at least one schema (anyOf)", "", faultAnyOf, ""},
		{"must validate all the schemas (allOf)", "", faultAllOf, ""},
		{"must not validate the schema (not)", "", faultNot, ""},
		{"required variable \"", "\" must be set", faultRequired, ""},
		{"is required", "", faultRequired, ""},
		{"Required value", "", faultRequired, ""},
		{"variable is not defined", "", faultNotDefined, ""},
		{"failed rule: ", "", faultRuleBare, "rule"},
	}
}

// explainWords finds the fault that words are about, with its arguments.
func explainWords(words string) (message.Text, fault) {
	if after, ok := cutPhrase(words, "must be of type "); ok {
		return typeText(after)
	}
	if after, ok := strings.CutPrefix(words, rangeWords); ok {
		return rangeText(after)
	}
	for _, p := range phrases() {
		after, ok := cutPhrase(words, p.before)
		if !ok {
			continue
		}
		if p.after != "" {
			end := strings.LastIndex(after, p.after)
			if end < 0 {
				continue
			}
			after = after[:end]
		}
		if text, ok := p.text(after); ok {
			return text, p.what
		}
	}
	return faultSaid.text(message.Str("words", strings.TrimPrefix(strings.TrimSpace(words), "in body "))), faultSaid
}

func (p phrase) text(arg string) (message.Text, bool) {
	switch p.arg {
	case "":
		return p.what.text(), true
	case "n":
		n, err := strconv.Atoi(strings.TrimSpace(arg))
		return p.what.text(message.Num("n", n)), err == nil
	default:
		return p.what.text(message.Str(p.arg, strings.TrimSpace(arg))), true
	}
}

// cutPhrase finds a validator's phrase where validators put it: at the start,
// or behind "PATH in body" or a quoted path. The message of a class's own rule
// may hold the same words elsewhere and must stay as it is.
func cutPhrase(words, phrase string) (string, bool) {
	before, after, ok := strings.Cut(words, phrase)
	if !ok {
		return "", false
	}
	before = strings.TrimSpace(before)
	if before == "" || before == "in body" || strings.HasSuffix(before, " in body") {
		return after, true
	}
	quoted, err := strconv.QuotedPrefix(before)
	return after, err == nil && quoted == before
}

// typeText tells a JSON type from a format: validators word both alike.
func typeText(after string) (message.Text, fault) {
	name, _, _ := strings.Cut(after, ":")
	name = strings.TrimSpace(name)
	if key, ok := typeKey(name); ok {
		return faultType.text(message.Sub("type", message.New(key))), faultType
	}
	return faultFormat.text(message.Str("format", name)), faultFormat
}

// rangeWords begin what validators say of a number that its format can't hold:
// "Checked value must be of type integer with format int32 in replicas".
const rangeWords = "Checked value must be of type "

func rangeText(after string) (message.Text, fault) {
	of, _, _ := strings.Cut(after+" ", " in ")
	_, format, ok := strings.Cut(of, " with format ")
	if !ok {
		format = "int64" // the default
	}
	return faultRange.text(message.Str("format", format)), faultRange
}

// rangePath is the place that such words name at their end.
func rangePath(words string) (string, bool) {
	after, ok := strings.CutPrefix(words, rangeWords)
	if !ok {
		return "", false
	}
	_, path, _ := strings.Cut(after+" ", " in ")
	return strings.TrimSpace(path), true
}

func typeKey(name string) (message.Key, bool) {
	switch name {
	case "string":
		return "catalog.type.string", true
	case "integer":
		return "catalog.type.integer", true
	case "number":
		return "catalog.type.number", true
	case "boolean":
		return "catalog.type.boolean", true
	case "object":
		return "catalog.type.object", true
	case "array":
		return "catalog.type.array", true
	case "integer,string":
		return "catalog.type.int-or-string", true
	default:
		return "", false
	}
}

// choiceText names the alternatives where each is just a set of fields.
func choiceText(f *Field, what fault, otherwise message.Text) message.Text {
	how := AnyOf
	if what == faultOneOf {
		how = OneOf
	}
	for _, c := range f.Choices {
		if names, ok := c.names(); ok && c.How == how {
			if what == faultOneOf {
				return faultSetOnlyOne.text(message.Str("names", names))
			}
			return faultSetOneOf.text(message.Str("names", names))
		}
	}
	return otherwise
}

// names lists the fields of the branches, if nothing but fields is asked for.
func (c Choice) names() (string, bool) {
	names := make([]string, 0, len(c.Branches))
	for _, b := range c.Branches {
		if !b.OnlyRequired {
			return "", false
		}
		names = append(names, strings.Join(b.Required, " + "))
	}
	return strings.Join(names, ", "), true
}

func enumText(f *Field, otherwise message.Text) message.Text {
	if len(f.Options) == 0 || len(f.Options) > 10 {
		return otherwise
	}
	labels := make([]string, 0, len(f.Options))
	for _, o := range f.Options {
		labels = append(labels, o.Label)
	}
	return faultEnumOf.text(message.Str("choices", strings.Join(labels, ", ")))
}

// offers tells whether child is one of the alternatives that its parent, n or
// below n, asks for: that it is required says only what the choice says.
func (n *Node) offers(child *Node) bool {
	if child.Field.Required {
		return false
	}
	found := false
	n.Walk(func(parent *Node) {
		if found || !slices.Contains(parent.Fields, child) {
			return
		}
		for _, c := range parent.Field.Choices {
			offered := func(b Branch) bool { return slices.Contains(b.Required, child.Field.Name) }
			found = found || (c.How == AnyOf || c.How == OneOf) && slices.ContainsFunc(c.Branches, offered)
		}
	})
	return found
}

package views

import (
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/message"
)

func typeName(p Page, f *catalog.Field) string {
	switch f.Kind {
	case catalog.KindArray:
		return p.t("class.type.array", message.Str("of", typeName(p, f.Item)))
	case catalog.KindMap:
		return p.t("class.type.map", message.Str("of", typeName(p, f.Item)))
	case catalog.KindIntOrString:
		return "int-or-string"
	case catalog.KindYAML:
		return p.t("class.type.any")
	}
	if f.Type == "" {
		return string(f.Kind)
	}
	return f.Type
}

// limits are the bounds of a value in words.
func limits(p Page, f *catalog.Field) []string {
	var out []string
	add := func(s string) {
		if s != "" {
			out = append(out, s)
		}
	}
	b := f.Bounds
	add(between(p, b.Min, b.Max, b.ExclusiveMin, b.ExclusiveMax))
	add(spanOf(p, "class.limit.chars", b.MinLength, b.MaxLength))
	add(spanOf(p, "class.limit.items", b.MinItems, b.MaxItems))
	add(spanOf(p, "class.limit.keys", b.MinProperties, b.MaxProperties))
	if f.Kind == catalog.KindEnum {
		var labels []string
		for _, o := range f.Options {
			labels = append(labels, o.Label)
		}
		add(p.t("class.limit.enum", message.Str("choices", strings.Join(labels, ", "))))
	}
	if f.Pattern != "" {
		add(p.t("class.limit.pattern", message.Str("pattern", f.Pattern)))
	}
	if f.Format != "" {
		add(p.t("class.limit.format", message.Str("format", f.Format)))
	}
	if f.UniqueItems {
		add(p.t("class.limit.unique"))
	}
	if f.Preserve {
		add(p.t("class.limit.preserve"))
	}
	for _, c := range f.Choices {
		add(choiceWords(p, c))
	}
	return out
}

func between(p Page, low, high *int64, above, below bool) string {
	var parts []string
	if low != nil {
		parts = append(parts, sign(above, "> ", "≥ ")+strconv.FormatInt(*low, 10))
	}
	if high != nil {
		parts = append(parts, sign(below, "< ", "≤ ")+strconv.FormatInt(*high, 10))
	}
	if len(parts) == 2 && !above && !below {
		return p.t("class.limit.range", message.Str("from", strconv.FormatInt(*low, 10)), message.Str("to", strconv.FormatInt(*high, 10)))
	}
	return strings.Join(parts, ", ")
}

func sign(strict bool, yes, no string) string {
	if strict {
		return yes
	}
	return no
}

func spanOf(p Page, key message.Key, low, high *int64) string {
	text := ""
	switch {
	case low != nil && high != nil:
		text = strconv.FormatInt(*low, 10) + "–" + strconv.FormatInt(*high, 10)
	case low != nil:
		text = "≥ " + strconv.FormatInt(*low, 10)
	case high != nil:
		text = "≤ " + strconv.FormatInt(*high, 10)
	default:
		return ""
	}
	return p.t(key, message.Str("n", text))
}

// choiceWords says what allOf, anyOf, oneOf and not want: names of fields where
// that is all, else the schemas themselves.
func choiceWords(p Page, c catalog.Choice) string {
	var parts []string
	for _, b := range c.Branches {
		if b.OnlyRequired {
			parts = append(parts, strings.Join(b.Required, " + "))
			continue
		}
		parts = append(parts, strings.Join(strings.Fields(b.YAML), " "))
	}
	what := message.Str("what", strings.Join(parts, " | "))
	switch c.How {
	case catalog.AllOf:
		return p.t("class.choice.all", what)
	case catalog.AnyOf:
		return p.t("class.choice.any", what)
	case catalog.OneOf:
		return p.t("class.choice.one", what)
	}
	return p.t("class.choice.not", what)
}

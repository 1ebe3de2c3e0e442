package message

import (
	"errors"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/feature/plural"
)

// phrase is one message of one language, cut into pieces once, because a list
// page prints hundreds of them.
type phrase struct {
	forms map[plural.Form]pieces // always has Other
}

// pieces are literal text and names of arguments in turn: text, name, text, …
type pieces []string

var errPlaceholder = errors.New("a placeholder is written {{.name}} and nothing else")

func newPhrase(m *i18n.Message) (phrase, error) {
	p := phrase{forms: map[plural.Form]pieces{}}
	sources := map[plural.Form]string{
		plural.Other: m.Other, plural.Zero: m.Zero, plural.One: m.One,
		plural.Two: m.Two, plural.Few: m.Few, plural.Many: m.Many,
	}
	for form, source := range sources {
		if source == "" {
			continue
		}
		cut, err := cutPieces(source)
		if err != nil {
			return phrase{}, err
		}
		p.forms[form] = cut
	}
	if p.forms[plural.Other] == nil {
		return phrase{}, errors.New(`the form "other" is missing`)
	}
	return p, nil
}

func cutPieces(source string) (pieces, error) {
	var out pieces
	for {
		text, rest, found := strings.Cut(source, "{{")
		out = append(out, text)
		if !found {
			return out, nil
		}
		name, after, closed := strings.Cut(rest, "}}")
		name = strings.TrimSpace(name)
		if !closed || len(name) < 2 || name[0] != '.' || strings.ContainsAny(name[1:], ". |\"") {
			return nil, errPlaceholder
		}
		out = append(out, name[1:])
		source = after
	}
}

// form gives the pieces for a plural form; languages lack most forms.
func (p phrase) form(f plural.Form) pieces {
	if cut, ok := p.forms[f]; ok {
		return cut
	}
	return p.forms[plural.Other]
}

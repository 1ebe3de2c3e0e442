package message

import (
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
)

// Printer puts Texts into the words of one language. It does not escape: what
// it prints is text, not HTML. The zero Printer prints keys, for tests.
type Printer struct {
	lang            string
	words, fallback words
}

// pluralArg is the argument that chooses the plural form.
const pluralArg = "n"

// Lang is the language that it prints in; "" for the zero Printer.
func (p Printer) Lang() string { return p.lang }

// Say gives the words of t; "" for the zero Text, the key itself when no
// catalogue has it.
func (p Printer) Say(t Text) string {
	w := p.words
	said, ok := w.said[t.Key]
	if !ok {
		w = p.fallback
		if said, ok = w.said[t.Key]; !ok {
			return string(t.Key)
		}
	}
	cut := said.form(w.form(t.Args))
	if len(cut) == 1 {
		return cut[0]
	}
	var b strings.Builder
	for i, piece := range cut {
		if i%2 == 1 {
			piece = p.argument(t.Args, piece)
		}
		b.WriteString(piece)
	}
	return b.String()
}

// Key gives the words of a message without arguments.
func (p Printer) Key(key Key) string { return p.Say(Text{Key: key}) }

func (w words) form(args []Arg) plural.Form {
	for _, a := range args {
		if a.kind == numArg && a.Name == pluralArg {
			n := max(a.num, -a.num)
			return plural.Cardinal.MatchPlural(w.tag, n, 0, 0, 0, 0)
		}
	}
	return plural.Other
}

func (p Printer) argument(args []Arg, name string) string {
	for _, a := range args {
		if a.Name != name {
			continue
		}
		switch a.kind {
		case numArg:
			return Number(a.num)
		case subArg:
			return p.Say(*a.sub)
		default:
			return a.str
		}
	}
	return ""
}

// Number writes n with a true minus sign, grouped from 10,000 on, in both
// languages alike.
func Number(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "−", digits[1:]
	}
	if len(digits) < 5 {
		return sign + digits
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

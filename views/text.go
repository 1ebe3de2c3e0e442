package views

import (
	"strconv"
	"time"

	"github.com/capstan-portal/capstan/internal/message"
)

// t gives the words of a message in the language of the page.
func (p Page) t(key message.Key, args ...message.Arg) string {
	return p.Say.Say(message.New(key, args...))
}

// number writes a count; -1 is unknown and never 0.
func number(n int) string {
	if n < 0 {
		return "–"
	}
	return message.Number(n)
}

// wish writes a wished number that may be unset.
func (p Page) wish(n *int) string {
	if n == nil {
		return p.t("views.unset")
	}
	return message.Number(*n)
}

// optional writes a wished number for a form, empty when it is unset.
func optional(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// when is a moment: pages carry absolute times only, times.js words them.
type when struct {
	ISO, Abs string
	Form     string // "clock": the time of day or the date; "age": how long ago
}

func clock(t time.Time) when { return moment(t, "clock", "2006-01-02 15:04:05 MST") }

func age(t time.Time) when { return moment(t, "age", "2006-01-02 15:04") }

func moment(t time.Time, form, layout string) when {
	if t.IsZero() {
		return when{}
	}
	return when{ISO: t.UTC().Format(time.RFC3339), Abs: t.UTC().Format(layout), Form: form}
}

package views

import (
	"strconv"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
)

// errorView is the page of a failure: what happened, what to do, and the
// number under which the log has it.
type errorView struct {
	Page
	Icon, Tone string
	Status     string
	Title      string
	Text, What string
	Faults     []string
	Typed      []typedRow
	Hidden     []Typed
	Action     templ.SafeURL
	Login      templ.SafeURL
}

// Error is the page of a failure.
func Error(p Page, in ErrorInput) Screen {
	v := newError(p, in)
	return Screen{Title: v.Title, Body: errorPage(v)}
}

func newError(p Page, in ErrorInput) errorView {
	title, what := statusKeys(in.Status)
	if in.Asked && in.Status == 422 {
		title, what = "views.error.422.asked", "views.error.422.asked.what"
	}
	v := errorView{
		Page: p, Status: strconv.Itoa(in.Status), Hidden: in.Typed, Action: templ.SafeURL(in.Action),
		Title: p.t(title), What: p.t(what), Text: p.Say.Say(in.Failure.Text),
	}
	v.Typed = typedRows(p, in.Typed)
	v.Icon, v.Tone = errorLook(in.Status)
	for _, fault := range in.Failure.Faults {
		v.Faults = append(v.Faults, p.Say.Say(fault.Text))
	}
	if in.Status == 401 || p.User == "" && p.LoginURL != "" {
		v.Login = templ.SafeURL(p.LoginURL)
	}
	return v
}

// statusKeys are the title of an error page and what to do about it.
func statusKeys(status int) (title, what message.Key) {
	switch status {
	case 400:
		return "views.error.400", "views.error.400.what"
	case 401:
		return "views.error.401", "views.error.401.what"
	case 403:
		return "views.error.403", "views.error.403.what"
	case 404:
		return "views.error.404", "views.error.404.what"
	case 405:
		return "views.error.405", "views.error.405.what"
	case 409:
		return "views.error.409", "views.error.409.what"
	case 413:
		return "views.error.413", "views.error.413.what"
	case 422:
		return "views.error.422", "views.error.422.what"
	case 429:
		return "views.error.429", "views.error.429.what"
	case 503:
		return "views.error.503", "views.error.503.what"
	}
	return "views.error.500", "views.error.500.what"
}

func errorLook(status int) (icon, tone string) {
	switch status {
	case 401, 403:
		return "lock", "text-ink-2"
	case 404:
		return "find", "text-ink-2"
	case 409, 413, 422, 429, 400, 405:
		return "stall", "text-warn"
	case 503:
		return "off", "text-warn"
	}
	return "fail", "text-bad"
}

// SignedOut is the page after signing out.
func SignedOut(p Page) Screen {
	return Screen{Title: p.t("views.signedout"), Body: signedOut(p)}
}

// typedKey says what to do with what was typed.
func typedKey(v errorView) message.Key {
	if v.Login != "" {
		return "views.error.typed"
	}
	return "views.error.typed.kept"
}

// keepPage opens the sign-in beside the page that still holds typed values.
func keepPage(typed int) string {
	if typed > 0 {
		return "_blank"
	}
	return "_self"
}

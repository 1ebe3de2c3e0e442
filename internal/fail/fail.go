// Package fail is the one kind of error that people meet.
//
// An Error carries a code (which decides the HTTP status), a sentence for the
// person as a message.Text, the faulty inputs, and the cause for the log. Pure
// packages and fleet return it; web's error handler is the one place that
// shows it. Any other error is an internal fault: a person sees no detail of it.
package fail

import (
	"errors"

	"github.com/capstan-portal/capstan/internal/message"
)

// Code says what kind of failure it is; web maps it to an HTTP status.
type Code string

// The codes, with the HTTP status that web answers.
const (
	Unauthorized Code = "unauthorized" // 401: no session
	Forbidden    Code = "forbidden"    // 403: the management cluster's RBAC says no
	NotFound     Code = "not-found"    // 404: absent or unreadable, never told apart
	Conflict     Code = "conflict"     // 409: somebody else changed it meanwhile
	TooLarge     Code = "too-large"    // 413: the request is larger than any form
	Invalid      Code = "invalid"      // 422: what was typed can't be done
	TooMany      Code = "too-many"     // 429: limit reached
	Internal     Code = "internal"     // 500: our fault
	Unavailable  Code = "unavailable"  // 503: management cluster or provider not reachable
)

// Fault is one faulty input: the path of the field in the object (as CAPI's
// webhooks name it) or the name of the form's input, and what is wrong.
type Fault struct {
	Field string
	Text  message.Text
}

// Error is a failure with words for a person.
type Error struct {
	Code   Code
	Text   message.Text
	Faults []Fault
	Cause  error // for the log only
}

// New makes an Error without a cause.
func New(code Code, text message.Text, faults ...Fault) *Error {
	return &Error{Code: code, Text: text, Faults: faults}
}

// Wrap makes an Error with the cause that the log shall see.
func Wrap(cause error, code Code, text message.Text) *Error {
	return &Error{Code: code, Text: text, Cause: cause}
}

// Error is for logs: code, key and cause.
func (e *Error) Error() string {
	s := string(e.Code) + ": " + string(e.Text.Key)
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// CodeOf is the code of err, Internal for any error that is none of ours, and
// empty for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

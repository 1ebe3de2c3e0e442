package auth

import (
	"errors"
	"net/http"

	"golang.org/x/oauth2"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// LoginExpired is what to say when the sign-in that an answer belongs to is not
// known (any more).
func LoginExpired() *fail.Error {
	return fail.New(fail.Unauthorized, message.New("login.expired"))
}

func unreachable(cause error) *fail.Error {
	return fail.Wrap(cause, fail.Unavailable, message.New("login.unreachable"))
}

func denied(detail string) *fail.Error {
	return fail.Wrap(errors.New("access_denied: "+detail), fail.Forbidden, message.New("login.denied"))
}

func refused(code, detail string) *fail.Error {
	return fail.Wrap(errors.New(code+": "+detail), fail.Forbidden, message.New("login.refused"))
}

func badToken(cause error) *fail.Error {
	return fail.Wrap(cause, fail.Unauthorized, message.New("login.bad-token"))
}

func wrongClock(cause error) *fail.Error {
	return fail.Wrap(cause, fail.Unavailable, message.New("login.clock"))
}

func wrongSecret(cause error) *fail.Error {
	return fail.Wrap(cause, fail.Unavailable, message.New("login.secret"))
}

func noName(claim string) *fail.Error {
	return fail.New(fail.Forbidden, message.New("login.no-name", message.Str("claim", claim)))
}

func unverified() *fail.Error {
	return fail.New(fail.Forbidden, message.New("login.unverified"))
}

func systemName(name string) *fail.Error {
	return fail.New(fail.Forbidden, message.New("login.system-name", message.Str("name", name)))
}

// grantRefused says whether the provider refused the code or refresh token
// itself (RFC 6749, 5.2).
func grantRefused(err error) bool {
	var r *oauth2.RetrieveError
	return errors.As(err, &r) && r.ErrorCode == "invalid_grant"
}

// tokenFailure words what the token endpoint answered.
func tokenFailure(err error) *fail.Error {
	var r *oauth2.RetrieveError
	if !errors.As(err, &r) {
		return unreachable(err)
	}
	switch {
	case r.ErrorCode == "invalid_grant":
		return fail.Wrap(err, fail.Unauthorized, message.New("login.expired"))
	case r.ErrorCode == "invalid_client" || r.ErrorCode == "unauthorized_client":
		return wrongSecret(err)
	case r.ErrorCode == "" && r.Response.StatusCode == http.StatusUnauthorized:
		return wrongSecret(err)
	case r.Response.StatusCode >= http.StatusInternalServerError:
		return unreachable(err)
	default:
		return refused(r.ErrorCode, err.Error())
	}
}

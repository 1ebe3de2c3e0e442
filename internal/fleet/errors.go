package fleet

import (
	"context"
	"errors"
	"net"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// What the API server writes into its messages; it has no other mark for these.
const (
	cannotImpersonate = "cannot impersonate"
	webhookDown       = "failed calling webhook"
	webhookDenied     = "denied the request: "
	policyDenied      = "denied request: "
	quotaExceeded     = "exceeded quota"
)

// asFailure turns whatever a request to the management cluster ended with into
// a failure with words. nil and failures pass.
func asFailure(err error) error {
	var known *fail.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return fromStatus(err, status.Status())
	}
	return fromNetwork(err)
}

func fromNetwork(err error) error {
	var timeout net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return err // nobody waits for words
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return fail.Wrap(err, fail.Unavailable, message.New("fleet.no-answer"))
	case utilnet.IsConnectionRefused(err), utilnet.IsConnectionReset(err), utilnet.IsProbableEOF(err), errors.As(err, &timeout):
		return fail.Wrap(err, fail.Unavailable, message.New("fleet.unreachable"))
	}
	return fail.Wrap(err, fail.Internal, message.New("fleet.internal"))
}

func fromStatus(err error, s metav1.Status) error {
	text := s.Message
	switch {
	case strings.Contains(text, cannotImpersonate):
		return fail.Wrap(err, fail.Internal, message.New("fleet.no-impersonation"))
	case apierrors.IsUnauthorized(err):
		return fail.Wrap(err, fail.Unavailable, message.New("fleet.no-credentials"))
	case strings.Contains(text, webhookDown):
		return fail.Wrap(err, fail.Unavailable, message.New("fleet.webhook-down", message.Str("webhook", quoted(text))))
	case strings.Contains(text, quotaExceeded):
		return fail.Wrap(err, fail.Invalid, overQuota(text))
	case apierrors.IsInvalid(err) && len(faults(s)) > 0:
		e := fail.Wrap(err, fail.Invalid, message.New("fleet.refused"))
		e.Faults = faults(s)
		return e
	case strings.Contains(text, webhookDenied), strings.Contains(text, policyDenied):
		return fail.Wrap(err, fail.Invalid, message.New("fleet.denied", message.Str("text", denial(text))))
	case apierrors.IsForbidden(err):
		return fail.Wrap(err, fail.Forbidden, message.New("fleet.forbidden"))
	case apierrors.IsNotFound(err):
		return fail.Wrap(err, fail.NotFound, message.New("fleet.gone"))
	case stale(err):
		return fail.Wrap(err, fail.Conflict, message.New("fleet.conflict"))
	case apierrors.IsTimeout(err), apierrors.IsServerTimeout(err), apierrors.IsServiceUnavailable(err):
		return fail.Wrap(err, fail.Unavailable, message.New("fleet.no-answer"))
	case apierrors.IsTooManyRequests(err):
		return fail.Wrap(err, fail.Unavailable, message.New("fleet.busy"))
	}
	return fail.Wrap(err, fail.Internal, message.New("fleet.internal"))
}

// faults are the causes of a refusal with the fields that CAPI's webhooks
// name. The messages repeat the whole value: people get what stands after the
// last colon, the log gets everything.
func faults(s metav1.Status) []fail.Fault {
	if s.Details == nil {
		return nil
	}
	var out []fail.Fault
	for _, c := range s.Details.Causes {
		if c.Field == "" {
			continue // a policy's denial: said as a whole
		}
		out = append(out, fail.Fault{
			Field: c.Field,
			Text:  message.New("fleet.admission", message.Str("text", after(c.Message, ": "))),
		})
	}
	return out
}

// forbidden names the right that the person would need.
func forbidden(cause error, verb string, k auth.Kind, namespace string) error {
	return fail.Wrap(cause, fail.Forbidden, message.New("fleet.missing-right", message.Str("right", missing(verb, k, namespace))))
}

// stale tells a JSON patch whose test failed or whose path was missing, which
// is a 422 without causes, or a write that lost a race.
func stale(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return false
	}
	s := status.Status()
	denied := strings.Contains(s.Message, webhookDenied) || strings.Contains(s.Message, policyDenied)
	return apierrors.IsConflict(err) || apierrors.IsInvalid(err) && len(faults(s)) == 0 && !denied
}

// after is what stands after the last sep, or all of it.
func after(text, sep string) string {
	if i := strings.LastIndex(text, sep); i >= 0 {
		text = text[i+len(sep):]
	}
	return strings.TrimSpace(text)
}

// denial is what a webhook or policy said, without who said it.
func denial(text string) string {
	for _, mark := range []string{webhookDenied, policyDenied} {
		if _, said, ok := strings.Cut(text, mark); ok {
			return strings.TrimSpace(said)
		}
	}
	return text
}

// quoted is the first quoted name in a message.
func quoted(text string) string {
	_, rest, _ := strings.Cut(text, `"`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

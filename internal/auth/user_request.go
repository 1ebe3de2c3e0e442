package auth

import "context"

type requestKey struct{}

// WithRequestID puts the id of an HTTP request into its context: audit lines
// and the portal's events name it, so that a change is found in the access log.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// RequestID is the id that WithRequestID put there; empty without one.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

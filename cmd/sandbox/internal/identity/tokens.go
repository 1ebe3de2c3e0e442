package identity

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

var (
	errStale         = errors.New("this sign-in has run out; start again from the application")
	errWrongPassword = errors.New("name or password is wrong")
)

// CreateAccessToken issues an access token without a refresh token.
func (s *storage) CreateAccessToken(_ context.Context, r op.TokenRequest) (string, time.Time, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, expires := s.issue(r)
	return id, expires, nil
}

// CreateAccessAndRefreshTokens issues both. A refresh token that is used ends
// in the same step, so that of two renewals at once only one succeeds.
func (s *storage) CreateAccessAndRefreshTokens(_ context.Context, r op.TokenRequest, current string) (string, string, time.Time, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &grant{subject: r.GetSubject(), scopes: r.GetScopes(), audience: r.GetAudience(), expires: time.Now().Add(s.ttl.Refresh)}
	g.clientID, g.session, g.authTime = origin(r)
	if current != "" {
		if _, ok := s.refresh[current]; !ok {
			return "", "", time.Time{}, oidc.ErrInvalidGrant()
		}
		delete(s.refresh, current)
	}
	token := rand.Text()
	s.refresh[token] = g
	id, expires := s.issue(r)
	return id, token, expires, nil
}

// issue makes an access token. The caller holds the lock.
func (s *storage) issue(r op.TokenRequest) (string, time.Time) {
	a := &access{subject: r.GetSubject(), scopes: r.GetScopes(), expires: time.Now().Add(s.ttl.Access)}
	a.clientID, a.session, _ = origin(r)
	id := rand.Text()
	s.access[id] = a
	return id, a.expires
}

// origin is where a token comes from: a visit, or an earlier refresh token.
func origin(r op.TokenRequest) (clientID, session string, authTime time.Time) {
	switch from := r.(type) {
	case *authRequest:
		return from.asked.ClientID, from.session, from.authTime
	case *grant:
		return from.clientID, from.session, from.authTime
	}
	return "", "", time.Time{}
}

// TokenRequestByRefreshToken finds what a refresh token stands for. A disabled
// account's tokens are refused here.
func (s *storage) TokenRequestByRefreshToken(_ context.Context, token string) (op.RefreshTokenRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	g, ok := s.refresh[token]
	if !ok {
		return nil, op.ErrInvalidRefreshToken
	}
	if _, active := s.people.find(g.subject); !active {
		return nil, op.ErrInvalidRefreshToken
	}
	copied := *g // the library narrows the scopes of what it gets
	return &copied, nil
}

// TerminateSession is the older way to sign out; TerminateSessionFromRequest
// is the one in use.
func (s *storage) TerminateSession(_ context.Context, subject, _ string) error {
	s.end(func(_, owner string) bool { return owner == subject })
	return nil
}

// TerminateSessionFromRequest signs out the browser that asks, or, where it
// brings no session but an ID token, every session of that person.
func (s *storage) TerminateSessionFromRequest(ctx context.Context, r *op.EndSessionRequest) (string, error) {
	if id := visitFrom(ctx).session; id != "" {
		s.end(func(session, _ string) bool { return session == id })
	} else if r.UserID != "" {
		s.end(func(_, owner string) bool { return owner == r.UserID })
	}
	return r.RedirectURI, nil
}

// end removes the sessions that match, and all their tokens.
func (s *storage) end(match func(session, subject string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.sessions, func(id string, v *session) bool { return match(id, v.subject) })
	maps.DeleteFunc(s.access, func(_ string, a *access) bool { return match(a.session, a.subject) })
	maps.DeleteFunc(s.refresh, func(_ string, g *grant) bool { return match(g.session, g.subject) })
}

// RevokeToken ends one token.
func (s *storage) RevokeToken(_ context.Context, token, _, clientID string) *oidc.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a, ok := s.access[token]; ok && a.clientID == clientID {
		delete(s.access, token)
	}
	if g, ok := s.refresh[token]; ok && g.clientID == clientID {
		delete(s.refresh, token)
	}
	return nil
}

// GetRefreshTokenInfo tells whose refresh token this is.
func (s *storage) GetRefreshTokenInfo(_ context.Context, clientID, token string) (string, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, ok := s.refresh[token]
	if !ok || g.clientID != clientID {
		return "", "", op.ErrInvalidRefreshToken
	}
	return g.subject, token, nil
}

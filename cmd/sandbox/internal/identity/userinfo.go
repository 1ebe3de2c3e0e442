package identity

import (
	"context"
	"errors"
	"slices"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

var errUnsupported = errors.New("the sandbox's provider has no such feature")

// SetUserinfoFromScopes is empty on purpose: the library has deprecated it in
// favour of SetUserinfoFromRequest.
func (s *storage) SetUserinfoFromScopes(context.Context, *oidc.UserInfo, string, string, []string) error {
	return nil
}

// SetUserinfoFromRequest fills the ID token.
func (s *storage) SetUserinfoFromRequest(_ context.Context, info *oidc.UserInfo, r op.IDTokenRequest, scopes []string) error {
	return s.fill(info, r.GetSubject(), scopes)
}

// SetUserinfoFromToken fills the answer of the userinfo endpoint.
func (s *storage) SetUserinfoFromToken(_ context.Context, info *oidc.UserInfo, tokenID, subject, _ string) error {
	s.mu.Lock()
	a, ok := s.access[tokenID]
	s.mu.Unlock()
	if !ok || a.subject != subject || time.Now().After(a.expires) {
		return errors.New("the access token is unknown or has ended")
	}
	return s.fill(info, subject, a.scopes)
}

// fill adds the claims that the scopes ask for. Groups are looked up anew each
// time, so a renewal always carries the present ones.
func (s *storage) fill(info *oidc.UserInfo, subject string, scopes []string) error {
	account, ok := s.people.find(subject)
	if !ok {
		return errors.New("the account is disabled")
	}
	info.Subject = subject
	if slices.Contains(scopes, oidc.ScopeProfile) {
		info.Name, info.PreferredUsername = account.Name, account.Name
	}
	if slices.Contains(scopes, oidc.ScopeEmail) {
		info.Email, info.EmailVerified = account.Name+"@example.com", true
	}
	if slices.Contains(scopes, "groups") {
		info.AppendClaims("groups", account.Groups)
	}
	return nil
}

// SetIntrospectionFromToken is not offered.
func (s *storage) SetIntrospectionFromToken(context.Context, *oidc.IntrospectionResponse, string, string, string) error {
	return errUnsupported
}

// GetPrivateClaimsFromScopes adds nothing: access tokens are opaque.
func (s *storage) GetPrivateClaimsFromScopes(context.Context, string, string, []string) (map[string]any, error) {
	return map[string]any{}, nil
}

// GetKeyByIDAndClientID is not offered: the client has a secret, no key.
func (s *storage) GetKeyByIDAndClientID(context.Context, string, string) (*jose.JSONWebKey, error) {
	return nil, errUnsupported
}

// ValidateJWTProfileScopes is not offered.
func (s *storage) ValidateJWTProfileScopes(context.Context, string, []string) ([]string, error) {
	return nil, errUnsupported
}

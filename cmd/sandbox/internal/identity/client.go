package identity

import (
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// client is the portal as the provider sees it: confidential, and allowed to
// live on any port of this machine, because every test picks its own.
type client struct {
	id         string
	portalURL  string
	idTokenTTL time.Duration
}

var _ op.HasRedirectGlobs = client{}

func (c client) GetID() string                       { return c.id }
func (c client) ApplicationType() op.ApplicationType { return op.ApplicationTypeWeb }
func (c client) AuthMethod() oidc.AuthMethod         { return oidc.AuthMethodBasic }
func (c client) ResponseTypes() []oidc.ResponseType {
	return []oidc.ResponseType{oidc.ResponseTypeCode}
}
func (c client) LoginURL(id string) string                   { return "/login?request=" + id }
func (c client) AccessTokenType() op.AccessTokenType         { return op.AccessTokenTypeBearer }
func (c client) IDTokenLifetime() time.Duration              { return c.idTokenTTL }
func (c client) DevMode() bool                               { return false }
func (c client) IsScopeAllowed(scope string) bool            { return scope == "groups" }
func (c client) IDTokenUserinfoClaimsAssertion() bool        { return true }
func (c client) ClockSkew() time.Duration                    { return 0 }
func (c client) RestrictAdditionalIdTokenScopes() scopes     { return keepScopes }
func (c client) RestrictAdditionalAccessTokenScopes() scopes { return keepScopes }

// GrantTypes are the code flow and its renewal.
func (c client) GrantTypes() []oidc.GrantType {
	return []oidc.GrantType{oidc.GrantTypeCode, oidc.GrantTypeRefreshToken}
}

// RedirectURIs holds the configured portal; the globs hold the rest.
func (c client) RedirectURIs() []string {
	if c.portalURL == "" {
		return nil
	}
	return []string{c.portalURL + "/auth/callback"}
}

// RedirectURIGlobs admits any portal on a loopback address, with or without a
// path prefix.
func (c client) RedirectURIGlobs() []string {
	return []string{
		"http://localhost:*/auth/callback", "http://localhost:*/**/auth/callback",
		"http://127.0.0.1:*/auth/callback", "http://127.0.0.1:*/**/auth/callback",
	}
}

// PostLogoutRedirectURIs holds the configured portal.
func (c client) PostLogoutRedirectURIs() []string {
	if c.portalURL == "" {
		return nil
	}
	return []string{c.portalURL, c.portalURL + "/"}
}

// PostLogoutRedirectURIGlobs admits loopback addresses; path.Match lets no
// star cross a slash, so a few depths are spelt out.
func (c client) PostLogoutRedirectURIGlobs() []string {
	var globs []string
	for _, host := range []string{"http://localhost:*", "http://127.0.0.1:*"} {
		for _, path := range []string{"", "/", "/*", "/*/", "/*/*", "/*/*/", "/*/*/*"} {
			globs = append(globs, host+path)
		}
	}
	return globs
}

type scopes = func([]string) []string

func keepScopes(s []string) []string { return s }

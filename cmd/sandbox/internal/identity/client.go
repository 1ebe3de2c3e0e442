package identity

import (
	"net/url"
	"strings"
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// client is the portal as the provider sees it: confidential, and allowed to
// live on any port of this machine, because every test picks its own.
type client struct {
	id         string
	portalURL  string
	asked      string // where the present request wants to be sent back to
	idTokenTTL time.Duration
}

var _ op.Client = client{}

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
func (c client) RestrictAdditionalAccessTokenScopes() scopes { return keepScopes }

// RestrictAdditionalIdTokenScopes leaves the scopes alone.
func (c client) RestrictAdditionalIdTokenScopes() scopes { return keepScopes } //nolint:revive // the interface spells it so

// GrantTypes are the code flow and its renewal.
func (c client) GrantTypes() []oidc.GrantType {
	return []oidc.GrantType{oidc.GrantTypeCode, oidc.GrantTypeRefreshToken}
}

// RedirectURIs are the configured portal's and, where that is what the browser
// asks for, a portal on any loopback address.
func (c client) RedirectURIs() []string {
	var all []string
	if c.portalURL != "" {
		all = append(all, c.portalURL+"/auth/callback")
	}
	if loopback(c.asked) && strings.HasSuffix(c.asked, "/auth/callback") {
		all = append(all, c.asked)
	}
	return all
}

// PostLogoutRedirectURIs are the same after sign-out, with any path.
func (c client) PostLogoutRedirectURIs() []string {
	var all []string
	if c.portalURL != "" {
		all = append(all, c.portalURL, c.portalURL+"/")
	}
	if loopback(c.asked) {
		all = append(all, c.asked)
	}
	return all
}

// loopback tells whether an address is on this machine. It is parsed, because
// patterns would let http://localhost:1@elsewhere pass.
func loopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	return u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1"
}

type scopes = func([]string) []string

func keepScopes(s []string) []string { return s }

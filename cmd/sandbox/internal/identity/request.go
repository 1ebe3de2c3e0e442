package identity

import (
	"slices"
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// authRequest is one visit of a browser that wants to sign in.
type authRequest struct {
	id       string
	asked    oidc.AuthRequest
	subject  string
	session  string // the single sign-on session that answered it
	authTime time.Time
	created  time.Time
	done     bool
}

var _ op.AuthRequest = (*authRequest)(nil)

func (r *authRequest) GetID() string                      { return r.id }
func (r *authRequest) GetACR() string                     { return "" }
func (r *authRequest) GetAMR() []string                   { return []string{"pwd"} }
func (r *authRequest) GetAudience() []string              { return []string{r.asked.ClientID} }
func (r *authRequest) GetAuthTime() time.Time             { return r.authTime }
func (r *authRequest) GetClientID() string                { return r.asked.ClientID }
func (r *authRequest) GetNonce() string                   { return r.asked.Nonce }
func (r *authRequest) GetRedirectURI() string             { return r.asked.RedirectURI }
func (r *authRequest) GetResponseType() oidc.ResponseType { return r.asked.ResponseType }
func (r *authRequest) GetResponseMode() oidc.ResponseMode { return r.asked.ResponseMode }
func (r *authRequest) GetScopes() []string                { return r.asked.Scopes }
func (r *authRequest) GetState() string                   { return r.asked.State }
func (r *authRequest) GetSubject() string                 { return r.subject }
func (r *authRequest) Done() bool                         { return r.done }

// GetCodeChallenge is the PKCE challenge, nil where the client sent none.
func (r *authRequest) GetCodeChallenge() *oidc.CodeChallenge {
	if r.asked.CodeChallenge == "" {
		return nil
	}
	return &oidc.CodeChallenge{Challenge: r.asked.CodeChallenge, Method: r.asked.CodeChallengeMethod}
}

// mayUse tells whether an earlier sign-in at the given time is good enough.
func (r *authRequest) mayUse(signedIn time.Time) bool {
	for _, p := range []string{oidc.PromptLogin, oidc.PromptSelectAccount} {
		if slices.Contains(r.asked.Prompt, p) {
			return false
		}
	}
	if r.asked.MaxAge == nil {
		return true
	}
	return time.Since(signedIn) <= time.Duration(*r.asked.MaxAge)*time.Second
}

// silent tells whether the person must not be asked.
func (r *authRequest) silent() bool { return slices.Contains(r.asked.Prompt, oidc.PromptNone) }

// grant is what a refresh token stands for.
type grant struct {
	clientID string
	subject  string
	session  string
	scopes   []string
	audience []string
	authTime time.Time
	expires  time.Time
}

var _ op.RefreshTokenRequest = (*grant)(nil)

func (g *grant) GetAMR() []string            { return []string{"pwd"} }
func (g *grant) GetAudience() []string       { return g.audience }
func (g *grant) GetAuthTime() time.Time      { return g.authTime }
func (g *grant) GetClientID() string         { return g.clientID }
func (g *grant) GetScopes() []string         { return g.scopes }
func (g *grant) GetSubject() string          { return g.subject }
func (g *grant) SetCurrentScopes(s []string) { g.scopes = s }

// access is an issued access token.
type access struct {
	clientID string
	subject  string
	session  string
	scopes   []string
	expires  time.Time
}

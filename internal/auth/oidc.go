package auth

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"
)

// Settings is how the portal is registered at its identity provider and how
// claims become a Kubernetes user.
type Settings struct {
	Issuer, ClientID, ClientSecret string
	Scopes                         []string
	NameClaim, GroupsClaim         string // empty: preferred_username and groups
	NamePrefix, GroupsPrefix       string
	Callback                       string           // absolute URL of /auth/callback
	SignedOut                      string           // absolute URL to come back to after sign-out
	Client                         *http.Client     // nil: a client with a timeout of 10 s
	Now                            func() time.Time // nil: time.Now
	Log                            *slog.Logger     // nil: slog.Default
}

// Provider speaks with the identity provider. It is usable before it is
// connected: until then everything fails with fail.Unavailable and words for it.
type Provider struct {
	set     Settings
	link    atomic.Pointer[link]
	renewal singleflight.Group
}

// link is what the provider's discovery document gave.
type link struct {
	provider   *oidc.Provider
	verifier   *oidc.IDTokenVerifier
	oauth      oauth2.Config
	endSession *url.URL // nil when there is none
	userinfo   bool
}

// NewProvider does no I/O; see Connect.
func NewProvider(set Settings) *Provider {
	if set.Client == nil {
		set.Client = &http.Client{Timeout: 10 * time.Second}
	}
	if set.Now == nil {
		set.Now = time.Now
	}
	if set.Log == nil {
		set.Log = slog.Default()
	}
	if set.NameClaim == "" {
		set.NameClaim = "preferred_username"
	}
	if set.GroupsClaim == "" {
		set.GroupsClaim = "groups"
	}
	if len(set.Scopes) == 0 {
		set.Scopes = []string{oidc.ScopeOpenID, "profile", "email", "groups", oidc.ScopeOfflineAccess}
	}
	return &Provider{set: set}
}

// Connect reads the provider's discovery document, again and again until it
// answers or ctx ends. The portal serves meanwhile.
func (p *Provider) Connect(ctx context.Context) {
	wait := time.Second
	for {
		err := p.discover(ctx)
		if err == nil {
			p.set.Log.Info("identity provider connected", "issuer", p.set.Issuer)
			return
		}
		p.set.Log.Warn("identity provider not reachable, trying again", "issuer", p.set.Issuer, "in", wait, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = min(2*wait, 15*time.Second)
	}
}

// Connected says whether people can sign in.
func (p *Provider) Connected() bool { return p.link.Load() != nil }

func (p *Provider) discover(ctx context.Context) error {
	// The key set keeps this context's client for later, but not its end.
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, p.set.Client), p.set.Issuer)
	if err != nil {
		return err
	}
	var more struct {
		EndSession string   `json:"end_session_endpoint"`
		UserInfo   string   `json:"userinfo_endpoint"`
		Methods    []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := provider.Claims(&more); err != nil {
		return err
	}
	endpoint := provider.Endpoint()
	endpoint.AuthStyle = p.authStyle(more.Methods)
	l := &link{
		provider: provider,
		// Expiry is checked in claims.go, where a wrong clock is told apart.
		verifier: provider.Verifier(&oidc.Config{ClientID: p.set.ClientID, SkipExpiryCheck: true}),
		oauth: oauth2.Config{ClientID: p.set.ClientID, ClientSecret: p.set.ClientSecret,
			Endpoint: endpoint, RedirectURL: p.set.Callback, Scopes: p.set.Scopes},
		userinfo: more.UserInfo != "",
	}
	if u, err := url.Parse(more.EndSession); err == nil && u.Host != "" {
		l.endSession = u
	}
	p.link.Store(l)
	return nil
}

// authStyle is how the portal proves itself at the token endpoint. Finding it
// out by trying, as oauth2 does by itself, would hide why a first try failed.
func (p *Provider) authStyle(methods []string) oauth2.AuthStyle {
	basic := len(methods) == 0 || slices.Contains(methods, "client_secret_basic") // the default of OIDC discovery
	if p.set.ClientSecret == "" || !basic {
		return oauth2.AuthStyleInParams
	}
	return oauth2.AuthStyleInHeader
}

// SignOut is where the provider ends its own session (RP-initiated logout);
// empty when it can't.
func (p *Provider) SignOut() string {
	l := p.link.Load()
	if l == nil || l.endSession == nil {
		return ""
	}
	u := *l.endSession
	q := u.Query()
	q.Set("client_id", p.set.ClientID)
	q.Set("post_logout_redirect_uri", p.set.SignedOut)
	u.RawQuery = q.Encode()
	return u.String()
}

// SignOutOrigin is the origin of SignOut, for the CSP's form-action; empty when
// there is none.
func (p *Provider) SignOutOrigin() string {
	l := p.link.Load()
	if l == nil || l.endSession == nil {
		return ""
	}
	return l.endSession.Scheme + "://" + l.endSession.Host
}

// Package idp is an OpenID provider for tests: it signs in without asking, and
// a test bends its answers. The sandbox has a real one, with pages.
package idp

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"
)

// ClientID and ClientSecret are the portal's registration.
const (
	ClientID     = "capstan"
	ClientSecret = "a secret"
)

// Behaviour is what the provider does; tests set it with Provider.Set.
type Behaviour struct {
	Subject    string
	Claims     map[string]any // beside the protocol's own
	Refuse     string         // error code at the authorization endpoint
	SignedOut  bool           // prompt=none answers login_required
	Disabled   bool           // refresh tokens are refused
	NoRefresh  bool           // no refresh token is given
	OnlyInfo   bool           // Claims come from userinfo only
	OtherNonce bool           // the ID token has another nonce
	Down       bool           // everything is 503
	Clock      time.Duration  // how far the provider's clock is ahead
}

// Provider is a running provider.
type Provider struct {
	URL string

	key  *ecdsa.PrivateKey
	keys *oidctest.Server

	mu        sync.Mutex
	now       func() time.Time
	b         Behaviour
	codes     map[string]url.Values // the request that a code was given for
	refresh   map[string]bool       // tokens that are still good
	Renewals  int                   // refresh tokens taken so far
	Exchanges int                   // codes taken so far
}

// New starts a provider that ends with the test. now is its clock.
func New(t testing.TB, now func() time.Time) *Provider {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{key: key, now: now, codes: map[string]url.Values{}, refresh: map[string]bool{}}
	p.b = Behaviour{Subject: "1", Claims: map[string]any{"preferred_username": "ada", "groups": []string{"team-a"}}}
	p.keys = &oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "k", Algorithm: oidc.ES256}}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.URL = server.URL
	p.keys.SetIssuer(p.URL)
	return p
}

// Set changes what the provider does.
func (p *Provider) Set(change func(*Behaviour)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.b)
}

// Counts are how many codes and refresh tokens were taken.
func (p *Provider) Counts() (exchanges, renewals int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.Exchanges, p.Renewals
}

// ServeHTTP is all of the provider's endpoints.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.b.Down {
		http.Error(w, "down", http.StatusServiceUnavailable)
		return
	}
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		p.discovery(w)
	case "/authorize":
		p.authorize(w, r)
	case "/token":
		p.token(w, r)
	case "/userinfo":
		answer(w, http.StatusOK, p.claims(map[string]any{"sub": p.b.Subject}))
	case "/logout":
		http.Redirect(w, r, r.FormValue("post_logout_redirect_uri"), http.StatusFound)
	default:
		p.keys.ServeHTTP(w, r)
	}
}

func (p *Provider) discovery(w http.ResponseWriter) {
	answer(w, http.StatusOK, map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
		"jwks_uri": p.URL + "/keys", "userinfo_endpoint": p.URL + "/userinfo", "end_session_endpoint": p.URL + "/logout",
		"id_token_signing_alg_values_supported": []string{"ES256"},
	})
}

func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil {
		http.Error(w, "redirect_uri", http.StatusBadRequest)
		return
	}
	out := url.Values{"state": {q.Get("state")}, "iss": {p.URL}}
	switch {
	case p.b.Refuse != "":
		out.Set("error", p.b.Refuse)
	case q.Get("prompt") == "none" && p.b.SignedOut:
		out.Set("error", "login_required")
	default:
		code := rand.Text()
		p.codes[code] = q
		out.Set("code", code)
	}
	back.RawQuery = out.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, ok := r.BasicAuth()
	if !ok || id != ClientID || secret != url.QueryEscape(ClientSecret) {
		refuse(w, http.StatusUnauthorized, "invalid_client")
		return
	}
	switch r.FormValue("grant_type") {
	case "authorization_code":
		asked, ok := p.codes[r.FormValue("code")]
		delete(p.codes, r.FormValue("code"))
		if !ok || challenge(r.FormValue("code_verifier")) != asked.Get("code_challenge") {
			refuse(w, http.StatusBadRequest, "invalid_grant")
			return
		}
		p.Exchanges++
		p.grant(w, asked.Get("nonce"))
	case "refresh_token":
		token := r.FormValue("refresh_token")
		if !p.refresh[token] || p.b.Disabled {
			refuse(w, http.StatusBadRequest, "invalid_grant")
			return
		}
		delete(p.refresh, token)
		p.Renewals++
		p.grant(w, "")
	default:
		refuse(w, http.StatusBadRequest, "unsupported_grant_type")
	}
}

// grant answers with fresh tokens; refresh tokens rotate.
func (p *Provider) grant(w http.ResponseWriter, nonce string) {
	now := p.now().Add(p.b.Clock)
	id := map[string]any{"iss": p.URL, "aud": ClientID, "sub": p.b.Subject,
		"iat": now.Unix(), "nbf": now.Unix(), "exp": now.Add(5 * time.Minute).Unix()}
	if nonce != "" {
		id["nonce"] = nonce
	}
	if p.b.OtherNonce {
		id["nonce"] = "another"
	}
	if !p.b.OnlyInfo {
		id = p.claims(id)
	}
	text, _ := json.Marshal(id) // maps of texts and numbers can't fail
	out := map[string]any{"token_type": "Bearer", "access_token": rand.Text(), "expires_in": 300,
		"id_token": oidctest.SignIDToken(p.key, "k", oidc.ES256, string(text))}
	if !p.b.NoRefresh {
		token := rand.Text()
		p.refresh[token] = true
		out["refresh_token"] = token
	}
	answer(w, http.StatusOK, out)
}

func (p *Provider) claims(base map[string]any) map[string]any {
	all := maps.Clone(p.b.Claims)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, base)
	return all
}

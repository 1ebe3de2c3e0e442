package identity

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// callback is where the provider sends the browser back; nothing listens there.
const callback = "http://localhost:18080/prefix/auth/callback"

func startProvider(t *testing.T, ttl Lifetimes) *Provider {
	t.Helper()
	p, err := New(Config{ClientID: "capstan", ClientSecret: "secret", PortalURL: "https://portal.example.com", TTL: ttl})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return p
}

func hour() Lifetimes { return Lifetimes{ID: time.Hour, Access: time.Hour, Refresh: time.Hour} }

// browser is a person's browser and the application it signs in to.
type browser struct {
	t        *testing.T
	client   *http.Client
	oauth    oauth2.Config
	provider *oidc.Provider
	verifier string
}

func newBrowser(t *testing.T, p *Provider) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := oidc.NewProvider(t.Context(), p.Issuer())
	if err != nil {
		t.Fatal(err)
	}
	stop := func(r *http.Request, _ []*http.Request) error {
		if !strings.HasPrefix(r.URL.String(), p.Issuer()) {
			return http.ErrUseLastResponse // the application's address: look, don't go
		}
		return nil
	}
	return &browser{t: t, client: &http.Client{Jar: jar, CheckRedirect: stop}, provider: provider, oauth: oauth2.Config{
		ClientID: "capstan", ClientSecret: "secret", RedirectURL: callback, Endpoint: provider.Endpoint(),
		Scopes: []string{"openid", "profile", "email", "groups", "offline_access"},
	}}
}

// open visits an address and returns the answer with its body.
func (b *browser) open(address string) (*http.Response, string) {
	b.t.Helper()
	res, err := b.client.Get(address)
	return b.read(res, err)
}

func (b *browser) read(res *http.Response, err error) (*http.Response, string) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res, string(body)
}

// begin asks to sign in.
func (b *browser) begin(options ...oauth2.AuthCodeOption) (*http.Response, string) {
	b.t.Helper()
	b.verifier = oauth2.GenerateVerifier()
	options = append(options, oauth2.S256ChallengeOption(b.verifier), oidc.Nonce("a-nonce"))
	return b.open(b.oauth.AuthCodeURL("a-state", options...))
}

// submit fills in the form of a sign-in page.
func (b *browser) submit(page, name, password string) (*http.Response, string) {
	b.t.Helper()
	found := regexp.MustCompile(`name="request" value="([^"]+)"`).FindStringSubmatch(page)
	if found == nil {
		b.t.Fatalf("no sign-in form in %s", page)
	}
	form := url.Values{"request": {found[1]}, "username": {name}, "password": {password}}
	return b.read(b.client.PostForm(strings.TrimSuffix(b.oauth.Endpoint.AuthURL, "/authorize")+"/login", form))
}

// arrival is the query with which the browser returns to the application.
func (b *browser) arrival(res *http.Response) url.Values {
	b.t.Helper()
	to, err := res.Location()
	if err != nil || !strings.HasPrefix(to.String(), callback) {
		b.t.Fatalf("answer %s leads to %v, not back to the application", res.Status, to)
	}
	return to.Query()
}

// signIn goes the whole way and returns the tokens.
func (b *browser) signIn(name string) *oauth2.Token {
	b.t.Helper()
	_, page := b.begin()
	res, _ := b.submit(page, name, name)
	return b.exchange(b.arrival(res))
}

func (b *browser) exchange(query url.Values) *oauth2.Token {
	b.t.Helper()
	if query.Get("state") != "a-state" {
		b.t.Errorf("state is %q", query.Get("state"))
	}
	token, err := b.oauth.Exchange(b.t.Context(), query.Get("code"), oauth2.VerifierOption(b.verifier))
	if err != nil {
		b.t.Fatal(err)
	}
	return token
}

// refresh trades a refresh token for new tokens.
func (b *browser) refresh(token string) (*oauth2.Token, error) {
	old := &oauth2.Token{RefreshToken: token, Expiry: time.Now().Add(-time.Minute)}
	return b.oauth.TokenSource(b.t.Context(), old).Token()
}

type claims struct {
	Subject string   `json:"sub"`
	Name    string   `json:"preferred_username"`
	Groups  []string `json:"groups"`
	Nonce   string   `json:"nonce"`
}

func (b *browser) claims(token *oauth2.Token) claims {
	b.t.Helper()
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		b.t.Fatal("no ID token")
	}
	verified, err := b.provider.Verifier(&oidc.Config{ClientID: "capstan"}).Verify(b.t.Context(), raw)
	if err != nil {
		b.t.Fatal(err)
	}
	var c claims
	if err := verified.Claims(&c); err != nil {
		b.t.Fatal(err)
	}
	return c
}

package identity

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/zitadel/oidc/v3/pkg/op"
	"golang.org/x/text/language"
)

// Lifetimes of the tokens. Tests shorten them.
type Lifetimes struct {
	ID, Access, Refresh time.Duration
}

// Config says how the provider is reached and by whom.
type Config struct {
	// Port on 127.0.0.1; 0 takes a free one.
	Port int
	// ClientID and ClientSecret identify the portal.
	ClientID, ClientSecret string
	// PortalURL is allowed for redirects besides every loopback address.
	PortalURL string
	TTL       Lifetimes
}

// Provider serves OpenID Connect. Stop and Start may be called again and
// again: port, keys, sessions and tokens stay.
type Provider struct {
	address string
	people  *directory
	handler http.Handler

	mu     sync.Mutex
	server *http.Server
}

// New prepares a provider and chooses its port; it serves nothing yet.
func New(config Config) (*Provider, error) {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", config.Port))
	if err != nil {
		return nil, fmt.Errorf("port %d for the identity provider is taken: choose another with --issuer-port (%w)", config.Port, err)
	}
	p := &Provider{address: listener.Addr().String(), people: newDirectory()}
	if err := listener.Close(); err != nil {
		return nil, fmt.Errorf("the identity provider's port can't be used: %w", err)
	}
	c := client{id: config.ClientID, portalURL: config.PortalURL, idTokenTTL: config.TTL.ID}
	store, err := newStorage(p.people, c, config.ClientSecret, config.TTL)
	if err != nil {
		return nil, err
	}
	p.handler, err = newHandler(p.Issuer(), store)
	return p, err
}

func newHandler(issuer string, store *storage) (http.Handler, error) {
	config := &op.Config{
		CodeMethodS256:           true,
		AuthMethodPost:           true,
		GrantTypeRefreshToken:    true,
		SupportedUILocales:       []language.Tag{language.English},
		SupportedScopes:          []string{"openid", "profile", "email", "groups", "offline_access"},
		SupportedClaims:          []string{"sub", "aud", "exp", "iat", "iss", "auth_time", "nonce", "name", "preferred_username", "email", "groups"},
		DefaultLogoutRedirectURI: "/signed-out",
	}
	if _, err := rand.Read(config.CryptoKey[:]); err != nil {
		return nil, fmt.Errorf("no key for the identity provider: %w", err)
	}
	provider, err := op.NewProvider(config, store, op.StaticIssuer(issuer), op.WithAllowInsecure())
	if err != nil {
		return nil, fmt.Errorf("the identity provider can't be set up: %w", err)
	}
	pages := &pages{store: store, cookie: cookieName(issuer), callback: op.AuthCallbackURL(provider), issuer: issuer}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /login", pages.show)
	mux.HandleFunc("POST /login", pages.submit)
	mux.HandleFunc("GET /login.css", pages.style)
	mux.HandleFunc("GET /signed-out", pages.signedOut)
	mux.HandleFunc("GET /{$}", pages.home)
	mux.Handle("/", pages.withVisit(provider))
	return mux, nil
}

// Issuer is the provider's address.
func (p *Provider) Issuer() string { return "http://" + p.address }

// Name is the name used on the command line.
func (p *Provider) Name() string { return "oidc" }

// Start serves in the background.
func (p *Provider) Start(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server != nil {
		return errors.New("oidc is already running")
	}
	listener, err := net.Listen("tcp", p.address)
	if err != nil {
		return fmt.Errorf("the identity provider can't listen: %w", err)
	}
	p.server = &http.Server{Handler: p.handler, ReadHeaderTimeout: 10 * time.Second}
	go p.server.Serve(listener) //nolint:errcheck // always ends with ErrServerClosed
	return nil
}

// Stop closes the port at once, open connections included.
func (p *Provider) Stop(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server == nil {
		return nil
	}
	err := p.server.Close()
	p.server = nil
	return err
}

// SetDisabled bars an account from signing in and renewing, or admits it again.
func (p *Provider) SetDisabled(name string, disabled bool) error {
	return p.people.setDisabled(name, disabled)
}

// Running tells whether the provider listens.
func (p *Provider) Running() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.server != nil
}

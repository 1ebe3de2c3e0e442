package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// requestTTL is how long a person may take to sign in, and a code to be used.
const requestTTL = 10 * time.Minute

// storage implements op.Storage in memory.
type storage struct {
	people *directory
	client client
	secret string
	ttl    Lifetimes
	key    *signingKey

	mu       sync.Mutex
	requests map[string]*authRequest
	codes    map[string]string // code → request
	access   map[string]*access
	refresh  map[string]*grant
	sessions map[string]*session
}

// session is a browser that has signed in.
type session struct {
	subject  string
	signedIn time.Time
}

var (
	_ op.Storage                        = (*storage)(nil)
	_ op.CanSetUserinfoFromRequest      = (*storage)(nil)
	_ op.CanTerminateSessionFromRequest = (*storage)(nil)
)

func newStorage(people *directory, c client, secret string, ttl Lifetimes) (*storage, error) {
	key, err := newSigningKey()
	if err != nil {
		return nil, err
	}
	return &storage{
		people: people, client: c, secret: secret, ttl: ttl, key: key,
		requests: map[string]*authRequest{}, codes: map[string]string{}, access: map[string]*access{},
		refresh: map[string]*grant{}, sessions: map[string]*session{},
	}, nil
}

// CreateAuthRequest remembers a visit. Where the browser has signed in before
// it is answered at once; prompt=none without that is refused.
func (s *storage) CreateAuthRequest(ctx context.Context, asked *oidc.AuthRequest, _ string) (op.AuthRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	r := &authRequest{id: rand.Text(), asked: *asked, created: time.Now()}
	id := visitFrom(ctx).session
	if old, ok := s.sessions[id]; ok && r.mayUse(old.signedIn) {
		if _, active := s.people.find(old.subject); active {
			r.subject, r.session, r.authTime, r.done = old.subject, id, old.signedIn, true
		}
	}
	if r.silent() && !r.done {
		return nil, oidc.ErrLoginRequired()
	}
	s.requests[r.id] = r
	return r, nil
}

// sweep forgets what has run out. The caller holds the lock.
func (s *storage) sweep() {
	now := time.Now()
	maps.DeleteFunc(s.requests, func(_ string, r *authRequest) bool { return now.After(r.created.Add(requestTTL)) })
	maps.DeleteFunc(s.codes, func(_, id string) bool { return s.requests[id] == nil })
	maps.DeleteFunc(s.access, func(_ string, a *access) bool { return now.After(a.expires) })
	maps.DeleteFunc(s.refresh, func(_ string, g *grant) bool { return now.After(g.expires) })
}

// signIn completes a visit and opens a session, whose id is returned.
func (s *storage) signIn(requestID, name, password string) (string, error) {
	if !s.people.check(name, password) {
		return "", errWrongPassword
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.requests[requestID]
	if !ok {
		return "", errStale
	}
	id := rand.Text()
	s.sessions[id] = &session{subject: name, signedIn: time.Now()}
	r.subject, r.session, r.authTime, r.done = name, id, time.Now(), true
	return id, nil
}

// AuthRequestByID finds a visit.
func (s *storage) AuthRequestByID(_ context.Context, id string) (op.AuthRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	if r, ok := s.requests[id]; ok {
		return r, nil
	}
	return nil, errStale
}

// AuthRequestByCode finds the visit that a code was issued for.
func (s *storage) AuthRequestByCode(_ context.Context, code string) (op.AuthRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	if r, ok := s.requests[s.codes[code]]; ok {
		return r, nil
	}
	return nil, errors.New("the code is unknown, used or too old")
}

// SaveAuthCode remembers an issued code.
func (s *storage) SaveAuthCode(_ context.Context, id, code string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codes[code] = id
	return nil
}

// DeleteAuthRequest forgets a visit, and with it its code: codes work once.
func (s *storage) DeleteAuthRequest(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.requests, id)
	maps.DeleteFunc(s.codes, func(_, request string) bool { return request == id })
	return nil
}

// Health has nothing to check.
func (s *storage) Health(context.Context) error { return nil }

// GetClientByClientID finds the one client.
func (s *storage) GetClientByClientID(ctx context.Context, id string) (op.Client, error) {
	if id != s.client.id {
		return nil, errors.New("there is no such client")
	}
	found := s.client
	found.asked = visitFrom(ctx).returnTo
	return found, nil
}

// AuthorizeClientIDSecret checks the client's secret.
func (s *storage) AuthorizeClientIDSecret(_ context.Context, id, secret string) error {
	if id != s.client.id || subtle.ConstantTimeCompare([]byte(secret), []byte(s.secret)) != 1 {
		return errors.New("client or secret is wrong")
	}
	return nil
}

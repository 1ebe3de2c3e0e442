package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Sentinel errors of the flow, for web to act on.
var (
	// ErrInteraction: the provider can't vouch silently, the person must sign in.
	ErrInteraction = errors.New("auth: interaction required")
	// ErrOutdated: the refresh token is not good (any more). Another tab may
	// have renewed already, so the browser's present cookie is worth a look.
	ErrOutdated = errors.New("auth: refresh token refused")
	// ErrNoRefresh: the session can't be renewed in the background.
	ErrNoRefresh = errors.New("auth: no refresh token")
)

// SignInURL is where the browser is sent for l.
func (p *Provider) SignInURL(l Login) (string, error) {
	link := p.link.Load()
	if link == nil {
		return "", unreachable(errors.New("not connected yet"))
	}
	opts := []oauth2.AuthCodeOption{oidc.Nonce(l.Nonce), oauth2.S256ChallengeOption(l.Verifier)}
	if l.Silent {
		opts = append(opts, oauth2.SetAuthURLParam("prompt", "none"))
	}
	return link.oauth.AuthCodeURL(l.State, opts...), nil
}

// Finish turns the provider's answer at the callback into a session. Errors are
// *fail.Error, or ErrInteraction for a silent sign-in.
func (p *Provider) Finish(ctx context.Context, l Login, answer url.Values) (Session, error) {
	link := p.link.Load()
	if link == nil {
		return Session{}, unreachable(errors.New("not connected yet"))
	}
	if err := p.refusal(l, answer); err != nil {
		return Session{}, err
	}
	ctx = oidc.ClientContext(ctx, p.set.Client)
	token, err := link.oauth.Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(l.Verifier))
	if err != nil {
		return Session{}, tokenFailure(err)
	}
	c, err := p.claims(ctx, link, token, l.Nonce)
	if err != nil {
		return Session{}, err
	}
	user, err := p.user(c)
	if err != nil {
		return Session{}, err
	}
	return l.session(user, token.RefreshToken, p.set.Now())
}

// refusal reads the error that the provider sent instead of a code.
func (p *Provider) refusal(l Login, answer url.Values) error {
	if iss := answer.Get("iss"); iss != "" && iss != p.set.Issuer {
		return badToken(fmt.Errorf("answer of another issuer: %q", iss)) // RFC 9207
	}
	switch code := answer.Get("error"); code {
	case "":
		return nil
	case "login_required", "interaction_required", "consent_required", "account_selection_required":
		if l.Silent {
			return ErrInteraction
		}
		return refused(code, answer.Get("error_description"))
	case "access_denied":
		return denied(answer.Get("error_description"))
	case "server_error", "temporarily_unavailable":
		return unreachable(errors.New(code + ": " + answer.Get("error_description")))
	default:
		return refused(code, answer.Get("error_description"))
	}
}

// session is the session that l ends in. A silent one goes on where the old
// session began, unless the provider knows somebody else by now.
func (l Login) session(user User, refresh string, now time.Time) (Session, error) {
	s := Session{User: user, ID: rand.Text(), Refresh: refresh, Began: now, Checked: now}
	if l.Silent && l.ID != "" {
		if user.Subject != l.Subject {
			return Session{}, ErrInteraction
		}
		s.ID, s.Began = l.ID, l.Session
	}
	return s, nil
}

// Renew asks the provider whether s still holds and reads the groups anew; one
// at a time for each session. Errors are ErrOutdated, ErrNoRefresh or
// *fail.Error.
func (p *Provider) Renew(ctx context.Context, s Session) (Session, error) {
	if s.Refresh == "" {
		return Session{}, ErrNoRefresh
	}
	// Whoever waits along must not fail because the first one went away.
	shared := context.WithoutCancel(ctx)
	renewed, err, _ := p.renewal.Do(s.ID+s.Refresh, func() (any, error) { return p.renew(shared, s) })
	if err != nil {
		return Session{}, err
	}
	return renewed.(Session), nil
}

func (p *Provider) renew(ctx context.Context, s Session) (Session, error) {
	link := p.link.Load()
	if link == nil {
		return Session{}, unreachable(errors.New("not connected yet"))
	}
	ctx = oidc.ClientContext(ctx, p.set.Client)
	token, err := link.oauth.TokenSource(ctx, &oauth2.Token{RefreshToken: s.Refresh}).Token()
	if err != nil {
		if grantRefused(err) {
			return Session{}, fmt.Errorf("%w: %w", ErrOutdated, err)
		}
		return Session{}, tokenFailure(err)
	}
	c, err := p.claims(ctx, link, token, "")
	if errors.Is(err, errNoClaims) {
		return Session{}, ErrNoRefresh
	}
	if err != nil {
		return Session{}, err
	}
	user, err := p.user(c)
	if err != nil {
		return Session{}, err
	}
	if user.Subject != s.User.Subject {
		return Session{}, fmt.Errorf("%w: it belongs to another subject", ErrOutdated)
	}
	s.User, s.Refresh, s.Checked = user, token.RefreshToken, p.set.Now()
	return s, nil
}

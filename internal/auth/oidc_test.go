package auth_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/testkit/idp"
)

func connected(t *testing.T, p *idp.Provider, change func(*auth.Settings)) *auth.Provider {
	t.Helper()
	set := auth.Settings{Issuer: p.URL, ClientID: idp.ClientID, ClientSecret: idp.ClientSecret,
		NamePrefix: "oidc:", GroupsPrefix: "oidc:", Callback: "http://portal/auth/callback",
		SignedOut: "http://portal/auth/signed-out", Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&set)
	}
	provider := auth.NewProvider(set)
	provider.Connect(t.Context())
	return provider
}

// visit is the browser at the provider: it gives the answer for the callback.
func visit(t *testing.T, p *auth.Provider, l auth.Login) url.Values {
	t.Helper()
	target, err := p.SignInURL(l)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Get(target)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	back, err := res.Location()
	if err != nil {
		t.Fatal(err)
	}
	return back.Query()
}

func signIn(t *testing.T, p *auth.Provider) (auth.Session, error) {
	t.Helper()
	l := auth.NewLogin("/", time.Now())
	return p.Finish(t.Context(), l, visit(t, p, l))
}

func TestSignIn(t *testing.T) {
	for name, onlyInfo := range map[string]bool{"claims in the ID token": false, "claims in userinfo": true} {
		t.Run(name, func(t *testing.T) {
			op := idp.New(t, time.Now)
			op.Set(func(b *idp.Behaviour) { b.OnlyInfo = onlyInfo })
			s, err := signIn(t, connected(t, op, nil))
			if err != nil {
				t.Fatal(err)
			}
			want := auth.User{Subject: "1", Name: "oidc:ada", Display: "ada", Groups: []string{"oidc:team-a"}}
			if !reflect.DeepEqual(s.User, want) || s.Refresh == "" || s.ID == "" {
				t.Errorf("got %+v", s)
			}
		})
	}
}

func TestSignInFails(t *testing.T) {
	claim := func(name string, value any) func(*idp.Behaviour) {
		return func(b *idp.Behaviour) { b.Claims[name] = value }
	}
	tests := map[string]struct {
		behave func(*idp.Behaviour)
		set    func(*auth.Settings)
		code   fail.Code
		key    string
	}{
		"denied":          {func(b *idp.Behaviour) { b.Refuse = "access_denied" }, nil, fail.Forbidden, "login.denied"},
		"refused":         {func(b *idp.Behaviour) { b.Refuse = "invalid_scope" }, nil, fail.Forbidden, "login.refused"},
		"provider broken": {func(b *idp.Behaviour) { b.Refuse = "server_error" }, nil, fail.Unavailable, "login.unreachable"},
		"nonce":           {func(b *idp.Behaviour) { b.OtherNonce = true }, nil, fail.Unauthorized, "login.bad-token"},
		"clock ahead":     {func(b *idp.Behaviour) { b.Clock = time.Hour }, nil, fail.Unavailable, "login.clock"},
		"clock behind":    {func(b *idp.Behaviour) { b.Clock = -time.Hour }, nil, fail.Unavailable, "login.clock"},
		"wrong secret":    {nil, func(s *auth.Settings) { s.ClientSecret = "wrong" }, fail.Unavailable, "login.secret"},
		"system name":     {claim("preferred_username", "system:admin"), nil, fail.Forbidden, "login.system-name"},
		"system group":    {claim("groups", []string{"system:masters"}), nil, fail.Forbidden, "login.system-name"},
		"system by prefix": {claim("preferred_username", "admin"),
			func(s *auth.Settings) { s.NamePrefix = "system:" }, fail.Forbidden, "login.system-name"},
		"no name":     {claim("preferred_username", ""), nil, fail.Forbidden, "login.no-name"},
		"header name": {claim("preferred_username", "a\r\nb"), nil, fail.Forbidden, "login.no-name"},
		"mail not verified": {func(b *idp.Behaviour) { b.Claims["email"], b.Claims["email_verified"] = "a@example.com", false },
			func(s *auth.Settings) { s.NameClaim = "email" }, fail.Forbidden, "login.unverified"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			op := idp.New(t, time.Now)
			if test.behave != nil {
				op.Set(test.behave)
			}
			_, err := signIn(t, connected(t, op, test.set))
			var failure *fail.Error
			if !errors.As(err, &failure) || failure.Code != test.code || string(failure.Text.Key) != test.key {
				t.Errorf("got %v, want %s %s", err, test.code, test.key)
			}
		})
	}
}

func TestCodeCannotBeUsedTwice(t *testing.T) {
	p := connected(t, idp.New(t, time.Now), nil)
	l := auth.NewLogin("/", time.Now())
	answer := visit(t, p, l)
	if _, err := p.Finish(t.Context(), l, answer); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Finish(t.Context(), l, answer); fail.CodeOf(err) != fail.Unauthorized {
		t.Errorf("got %v, want unauthorized", err)
	}
}

func TestVerifierIsChecked(t *testing.T) {
	p := connected(t, idp.New(t, time.Now), nil)
	l := auth.NewLogin("/", time.Now())
	answer := visit(t, p, l)
	l.Verifier = auth.NewLogin("/", time.Now()).Verifier
	if _, err := p.Finish(t.Context(), l, answer); fail.CodeOf(err) != fail.Unauthorized {
		t.Errorf("got %v, want unauthorized", err)
	}
}

func TestSilentSignInKeepsTheSession(t *testing.T) {
	op := idp.New(t, time.Now)
	p := connected(t, op, nil)
	before, err := signIn(t, p)
	if err != nil {
		t.Fatal(err)
	}
	before.Began = before.Began.Add(-time.Hour)
	l := auth.NewLogin("/", time.Now()).Renewing(before)
	after, err := p.Finish(t.Context(), l, visit(t, p, l))
	if err != nil || after.ID != before.ID || !after.Began.Equal(before.Began) {
		t.Errorf("got %+v, %v", after, err)
	}
	op.Set(func(b *idp.Behaviour) { b.SignedOut = true })
	if _, err := p.Finish(t.Context(), l, visit(t, p, l)); !errors.Is(err, auth.ErrInteraction) {
		t.Errorf("signed out: got %v, want ErrInteraction", err)
	}
	op.Set(func(b *idp.Behaviour) { b.SignedOut, b.Subject = false, "2" })
	if _, err := p.Finish(t.Context(), l, visit(t, p, l)); !errors.Is(err, auth.ErrInteraction) {
		t.Errorf("another person: got %v, want ErrInteraction", err)
	}
}

func TestRenew(t *testing.T) {
	op := idp.New(t, time.Now)
	p := connected(t, op, nil)
	s, err := signIn(t, p)
	if err != nil {
		t.Fatal(err)
	}
	op.Set(func(b *idp.Behaviour) { b.Claims["groups"] = []string{"team-b"} })
	renewed, err := p.Renew(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if renewed.Refresh == s.Refresh || renewed.ID != s.ID || !reflect.DeepEqual(renewed.User.Groups, []string{"oidc:team-b"}) {
		t.Errorf("got %+v", renewed)
	}
	if _, err := p.Renew(t.Context(), s); !errors.Is(err, auth.ErrOutdated) {
		t.Errorf("old token: got %v, want ErrOutdated", err)
	}
	op.Set(func(b *idp.Behaviour) { b.Down = true })
	if _, err := p.Renew(t.Context(), renewed); fail.CodeOf(err) != fail.Unavailable {
		t.Errorf("provider down: got %v, want unavailable", err)
	}
	op.Set(func(b *idp.Behaviour) { b.Down, b.Disabled = false, true })
	if _, err := p.Renew(t.Context(), renewed); !errors.Is(err, auth.ErrOutdated) {
		t.Errorf("disabled: got %v, want ErrOutdated", err)
	}
	renewed.Refresh = ""
	if _, err := p.Renew(t.Context(), renewed); !errors.Is(err, auth.ErrNoRefresh) {
		t.Errorf("no token: got %v, want ErrNoRefresh", err)
	}
}

func TestProviderComesLater(t *testing.T) {
	op := idp.New(t, time.Now)
	op.Set(func(b *idp.Behaviour) { b.Down = true })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := auth.NewProvider(auth.Settings{Issuer: op.URL, ClientID: idp.ClientID, ClientSecret: idp.ClientSecret,
		Callback: "http://portal/auth/callback", Log: slog.New(slog.DiscardHandler)})
	done := make(chan struct{})
	go func() { p.Connect(ctx); close(done) }()
	if _, err := p.SignInURL(auth.NewLogin("/", time.Now())); fail.CodeOf(err) != fail.Unavailable {
		t.Errorf("got %v, want unavailable", err)
	}
	op.Set(func(b *idp.Behaviour) { b.Down = false })
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("never connected")
	}
	if !p.Connected() {
		t.Error("not connected")
	}
}

func TestSignOut(t *testing.T) {
	op := idp.New(t, time.Now)
	u, err := url.Parse(connected(t, op, nil).SignOut())
	if err != nil {
		t.Fatal(err)
	}
	if u.Query().Get("client_id") != idp.ClientID || u.Query().Get("post_logout_redirect_uri") != "http://portal/auth/signed-out" {
		t.Errorf("got %s", u)
	}
}

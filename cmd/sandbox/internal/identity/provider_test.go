package identity

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
)

func TestSignInCarriesNameGroupsAndNonce(t *testing.T) {
	p := startProvider(t, hour())
	for _, a := range Accounts() {
		b := newBrowser(t, p)
		token := b.signIn(a.Name)
		c := b.claims(token)
		if c.Subject != a.Name || c.Name != a.Name || !slices.Equal(c.Groups, a.Groups) || c.Nonce != "a-nonce" {
			t.Errorf("ID token of %s says %+v", a.Name, c)
		}
		info, err := b.provider.UserInfo(t.Context(), oauth2.StaticTokenSource(token))
		if err != nil {
			t.Fatal(err)
		}
		var u claims
		if err := info.Claims(&u); err != nil || u.Subject != a.Name || !slices.Equal(u.Groups, a.Groups) {
			t.Errorf("userinfo of %s says %+v (%v)", a.Name, u, err)
		}
	}
}

func TestSignInPage(t *testing.T) {
	b := newBrowser(t, startProvider(t, hour()))
	res, page := b.begin()
	for _, needed := range []string{`<label for="username">`, `<label for="password">`, "Each password is the same as the name", "team-a-dev"} {
		if !strings.Contains(page, needed) {
			t.Errorf("the page lacks %q", needed)
		}
	}
	policy := res.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "form-action 'self' http://localhost:18080") {
		t.Errorf("policy is %q", policy)
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "style=") {
		t.Error("the page has inline script or style")
	}
}

func TestWrongPasswordShowsTheFormAgain(t *testing.T) {
	b := newBrowser(t, startProvider(t, hour()))
	_, page := b.begin()
	for _, tt := range [][2]string{{"team-a-dev", "team-b-dev"}, {"nobody", "nobody"}, {"", ""}} {
		res, again := b.submit(page, tt[0], tt[1])
		if res.StatusCode != 401 || !strings.Contains(again, `role="alert"`) {
			t.Errorf("%q/%q: answer %s", tt[0], tt[1], res.Status)
		}
		page = again
	}
	res, _ := b.submit(page, "team-a-dev", "team-a-dev")
	b.exchange(b.arrival(res)) // the visit is still good
}

func TestSilentSignIn(t *testing.T) {
	p := startProvider(t, hour())
	b := newBrowser(t, p)
	none := oauth2.SetAuthURLParam("prompt", "none")
	res, _ := b.begin(none)
	if got := b.arrival(res).Get("error"); got != "login_required" {
		t.Fatalf("without a session: %q", got)
	}
	b.signIn("viewer")
	res, _ = b.begin(none)
	if c := b.claims(b.exchange(b.arrival(res))); c.Subject != "viewer" {
		t.Errorf("silently signed in as %q", c.Subject)
	}
	if _, page := b.begin(oauth2.SetAuthURLParam("prompt", "login")); !strings.Contains(page, "<form") {
		t.Error("prompt=login doesn't ask")
	}
	if err := p.SetDisabled("viewer", true); err != nil {
		t.Fatal(err)
	}
	res, _ = b.begin(none)
	if got := b.arrival(res).Get("error"); got != "login_required" {
		t.Errorf("disabled account: %q", got)
	}
}

func TestCodeNeedsItsVerifierAndWorksOnce(t *testing.T) {
	b := newBrowser(t, startProvider(t, hour()))
	_, page := b.begin()
	res, _ := b.submit(page, "viewer", "viewer")
	code := b.arrival(res).Get("code")
	if _, err := b.oauth.Exchange(t.Context(), code, oauth2.VerifierOption(oauth2.GenerateVerifier())); err == nil {
		t.Error("a wrong verifier was accepted")
	}
	b.exchange(b.arrival(res))
	if _, err := b.oauth.Exchange(t.Context(), code, oauth2.VerifierOption(b.verifier)); err == nil {
		t.Error("the code worked twice")
	}
}

func TestRefreshRotates(t *testing.T) {
	p := startProvider(t, hour())
	b := newBrowser(t, p)
	first := b.signIn("team-a-dev")
	second, err := b.refresh(first.RefreshToken)
	if err != nil {
		t.Fatal(err)
	}
	if second.RefreshToken == first.RefreshToken {
		t.Error("the refresh token didn't change")
	}
	if c := b.claims(second); c.Subject != "team-a-dev" || !slices.Equal(c.Groups, []string{"team-a"}) {
		t.Errorf("after renewal: %+v", c)
	}
	if _, err := b.refresh(first.RefreshToken); err == nil || !strings.Contains(err.Error(), "invalid_grant") {
		t.Errorf("the old refresh token: %v", err)
	}
	if err := p.SetDisabled("team-a-dev", true); err != nil {
		t.Fatal(err)
	}
	if _, err := b.refresh(second.RefreshToken); err == nil || !strings.Contains(err.Error(), "invalid_grant") {
		t.Errorf("the token of a disabled account: %v", err)
	}
}

func TestTokensEnd(t *testing.T) {
	ttl := hour()
	ttl.ID, ttl.Refresh = 3*time.Minute, -time.Second
	b := newBrowser(t, startProvider(t, ttl))
	token := b.signIn("viewer")
	if left := time.Until(token.Expiry); left < 55*time.Minute {
		t.Errorf("access token lives %s", left)
	}
	if _, err := b.refresh(token.RefreshToken); err == nil {
		t.Error("a refresh token outlived its time")
	}
}

func TestSignOut(t *testing.T) {
	p := startProvider(t, hour())
	b := newBrowser(t, p)
	token := b.signIn("viewer")
	query := url.Values{"client_id": {"capstan"}, "post_logout_redirect_uri": {"http://127.0.0.1:18080/bye"}, "state": {"s"}}
	res, _ := b.open(p.Issuer() + "/end_session?" + query.Encode())
	if to, err := res.Location(); err != nil || to.String() != "http://127.0.0.1:18080/bye?state=s" {
		t.Errorf("sign-out leads to %v (%v)", to, err)
	}
	res, _ = b.begin(oauth2.SetAuthURLParam("prompt", "none"))
	if got := b.arrival(res).Get("error"); got != "login_required" {
		t.Errorf("the session survived: %q", got)
	}
	if _, err := b.refresh(token.RefreshToken); err == nil {
		t.Error("the refresh token survived")
	}
	query.Set("post_logout_redirect_uri", "https://evil.example.com/")
	if res, _ := b.open(p.Issuer() + "/end_session?" + query.Encode()); res.StatusCode != 400 {
		t.Errorf("a foreign address after sign-out: %s", res.Status)
	}
}

func TestRedirectAddresses(t *testing.T) {
	p := startProvider(t, hour())
	for address, good := range map[string]bool{
		"http://localhost:1/auth/callback":          true,
		"http://127.0.0.1:65535/a/b/auth/callback":  true,
		"https://portal.example.com/auth/callback":  true,
		"https://evil.example.com/auth/callback":    false,
		"http://localhost:1/elsewhere":              false,
		"http://localhost.evil.com/auth/callback":   false,
		"http://localhost:1@evil.com/auth/callback": false,
	} {
		b := newBrowser(t, p)
		b.oauth.RedirectURL = address
		res, page := b.begin()
		if got := res.StatusCode == 200 && strings.Contains(page, "<form"); got != good {
			t.Errorf("%s accepted: %v (%s)", address, got, res.Status)
		}
	}
}

func TestStopAndStartKeepEverything(t *testing.T) {
	p := startProvider(t, hour())
	b := newBrowser(t, p)
	token := b.signIn("viewer")
	if err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := b.client.Get(p.Issuer()); err == nil {
		t.Error("still answers")
	}
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := b.refresh(token.RefreshToken); err != nil {
		t.Errorf("after a restart: %v", err)
	}
	if err := p.SetDisabled("nobody", true); err == nil {
		t.Error("an unknown account was disabled")
	}
}

package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/testkit/idp"
)

func TestSignInLeadsBack(t *testing.T) {
	for _, prefix := range []string{"", "/capstan"} {
		t.Run("prefix "+prefix, func(t *testing.T) {
			p := start(t, prefix, nil)
			a := p.get("/clusters/team-a/one?x=1")
			if a.status != http.StatusOK || a.url.RequestURI() != prefix+"/clusters/team-a/one?x=1" {
				t.Fatalf("ended with %d at %s", a.status, a.url)
			}
			p.find(a, "h1", "one")
		})
	}
}

func (p *portal) find(a answer, selector, text string) {
	p.t.Helper()
	if got := a.find(p.t, selector).Text(); !strings.Contains(got, text) {
		p.t.Errorf("%s holds %q, not %q", selector, got, text)
	}
}

func TestEveryURLIsBelowThePrefix(t *testing.T) {
	p := start(t, "/capstan", nil)
	p.signIn()
	for _, path := range []string{"/", "/clusters/team-a/one", "/catalog", "/me", "/nowhere", "/auth/signed-out"} {
		a := p.get(path)
		for _, attr := range []string{"href", "src", "action", "data-page", "data-renew"} {
			a.find(t, "["+attr+"]").Each(func(_ int, s *goquery.Selection) {
				if v, _ := s.Attr(attr); strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "/capstan/") {
					t.Errorf("%s: %s=%q is outside of the prefix", path, attr, v)
				}
			})
		}
	}
	if a := p.get("/static/x"); a.status != http.StatusNotFound {
		t.Errorf("unknown asset: %d", a.status)
	}
	href, _ := p.get("/").find(t, "link[rel=stylesheet]").Attr("href")
	a := p.get(strings.TrimPrefix(href, "/capstan"))
	if a.status != http.StatusOK || !strings.Contains(a.header.Get("Cache-Control"), "immutable") {
		t.Errorf("style sheet %s: %d, %s", href, a.status, a.header.Get("Cache-Control"))
	}
}

func TestReturnPathIsLocal(t *testing.T) {
	p := start(t, "", nil)
	a := p.get("/auth/login?return=" + url.QueryEscape("https://evil.example/"))
	if a.url.String() != p.base+"/" {
		t.Errorf("ended at %s", a.url)
	}
}

func TestSignInFailures(t *testing.T) {
	tests := map[string]struct {
		behave func(*idp.Behaviour)
		status int
		word   string
	}{
		"denied": {func(b *idp.Behaviour) { b.Refuse = "access_denied" }, http.StatusForbidden, "denied"},
		"clock":  {func(b *idp.Behaviour) { b.Clock = time.Hour }, http.StatusServiceUnavailable, "clocks"},
		"nonce":  {func(b *idp.Behaviour) { b.OtherNonce = true }, http.StatusUnauthorized, "verified"},
		"system": {func(b *idp.Behaviour) { b.Claims["groups"] = []string{"system:masters"} }, http.StatusForbidden, "system:masters"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := start(t, "", nil)
			p.op.Set(test.behave)
			a := p.get("/me")
			if a.status != test.status || !strings.Contains(a.body, test.word) {
				t.Fatalf("got %d: %s", a.status, a.body)
			}
			if href, _ := a.find(t, "main a[href*='/auth/login']").Attr("href"); href != "/auth/login?return=%2Fme" {
				t.Errorf("the way to try again is %q", href)
			}
			if p.cookie(sessionCookie) != "" {
				t.Error("somebody is signed in")
			}
		})
	}
}

func TestProviderNotReachable(t *testing.T) {
	p := start(t, "", func(d *Deps) {
		d.Identity = auth.NewProvider(auth.Settings{Issuer: "http://127.0.0.1:1"})
	})
	a := p.get("/")
	if a.status != http.StatusServiceUnavailable || !strings.Contains(a.body, "identity provider") {
		t.Errorf("got %d: %s", a.status, a.body)
	}
}

func TestUnknownAnswerIsExpired(t *testing.T) {
	p := start(t, "", nil)
	a := p.get("/auth/callback?state=unknown&code=x")
	if a.status != http.StatusUnauthorized || !strings.Contains(a.body, "expired") {
		t.Errorf("got %d: %s", a.status, a.body)
	}
}

func TestSeveralTabsSignInAtOnce(t *testing.T) {
	p := start(t, "", nil)
	p.still()
	var targets []string
	for range 3 {
		targets = append(targets, p.get("/auth/login?return=%2Fme").header.Get("Location"))
	}
	p.follow()
	for _, target := range targets {
		req, err := http.NewRequest(http.MethodGet, target, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a := p.send(req); a.status != http.StatusOK || a.url.Path != "/me" {
			t.Errorf("a tab ended with %d at %s", a.status, a.url)
		}
	}
}

func TestForgottenSignInsDoNotPileUp(t *testing.T) {
	p := start(t, "", nil)
	p.still()
	for range 30 {
		p.get("/auth/login")
	}
	u, _ := url.Parse(p.base)
	if n := len(p.browser.Jar.Cookies(u)); n > maxLogins {
		t.Errorf("%d cookies", n)
	}
}

func TestSignInIsThrottled(t *testing.T) {
	p := start(t, "", nil)
	p.still()
	p.later(0)
	frozen := time.Now()
	for range startsBurst {
		p.starts.allow("127.0.0.1:1", frozen.Add(time.Hour))
	}
	if a := p.get("/auth/login"); a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") == "" {
		t.Errorf("got %d", a.status)
	}
}

func TestSignOut(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	p.still()
	a := p.post("/auth/logout", nil)
	target, _ := url.Parse(a.header.Get("Location"))
	if a.status != http.StatusSeeOther || target.Query().Get("client_id") != idp.ClientID {
		t.Fatalf("got %d to %s", a.status, target)
	}
	if !strings.Contains(a.header.Get("Content-Security-Policy"), "form-action 'self' "+p.op.URL) {
		t.Error("the CSP stops the way to the provider")
	}
	p.follow()
	req, _ := http.NewRequest(http.MethodGet, target.String(), nil)
	if a := p.send(req); a.url.Path != "/auth/signed-out" || a.status != http.StatusOK {
		t.Errorf("ended with %d at %s", a.status, a.url)
	}
	if p.cookie(sessionCookie) != "" {
		t.Error("still signed in")
	}
}

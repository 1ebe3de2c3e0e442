package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/testkit/idp"
)

func TestTamperedCookieIsNoSession(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	value := p.cookie(sessionCookie)
	flip := byte('A')
	if value[20] == flip {
		flip = 'B'
	}
	p.setCookie(sessionCookie, value[:20]+string(flip)+value[21:])
	p.still()
	a := p.get("/me")
	if a.status != http.StatusSeeOther || !strings.HasPrefix(a.header.Get("Location"), "/auth/login?return=") {
		t.Errorf("got %d to %q", a.status, a.header.Get("Location"))
	}
}

func TestCookieHoldsNothingReadable(t *testing.T) {
	p := start(t, "", nil)
	a := p.signIn()
	for _, secret := range []string{"ada", "team-a"} {
		if strings.Contains(p.cookie(sessionCookie), secret) {
			t.Errorf("the cookie shows %q", secret)
		}
	}
	if strings.Contains(a.body, p.cookie(sessionCookie)) || strings.Contains(p.log.String(), p.cookie(sessionCookie)) {
		t.Error("the cookie stands in the page or the log")
	}
}

func TestManyGroupsAreChunked(t *testing.T) {
	p := start(t, "", nil)
	var groups []string
	for range 120 {
		groups = append(groups, strings.Repeat("g", 50))
	}
	p.op.Set(func(b *idp.Behaviour) { b.Claims["groups"] = groups })
	p.signIn()
	u, _ := url.Parse(p.base)
	if n := len(p.browser.Jar.Cookies(u)); n != 3 {
		t.Errorf("%d cookies, not 3", n)
	}
	if a := p.get("/me"); a.status != http.StatusOK {
		t.Errorf("got %d", a.status)
	}
	p.op.Set(func(b *idp.Behaviour) { b.Claims["groups"] = []string{"few"} })
	p.later(16 * time.Minute)
	p.get("/me")
	if n := len(p.browser.Jar.Cookies(u)); n != 1 {
		t.Errorf("%d cookies are left, not 1", n)
	}
}

func TestRenewalIsInline(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	before := p.cookie(sessionCookie)
	p.later(14 * time.Minute)
	p.get("/me")
	if _, n := p.op.Counts(); n != 0 {
		t.Fatalf("renewed %d times after 14 min", n)
	}
	p.later(2 * time.Minute)
	p.op.Set(func(b *idp.Behaviour) { b.Claims["groups"] = []string{"team-b"} })
	a := p.get("/me")
	if _, n := p.op.Counts(); n != 1 || a.url.Path != "/me" || p.cookie(sessionCookie) == before {
		t.Errorf("renewed %d times, at %s", n, a.url)
	}
	p.find(a, "main", "team-b")
}

func TestRenewalSurvivesARace(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	old := p.cookie(sessionCookie)
	p.later(16 * time.Minute)
	p.get("/me")
	renewed := p.cookie(sessionCookie)

	p.setCookie(sessionCookie, old) // another tab's request, sent before
	p.still()
	a := p.get("/me?x=1")
	if a.status != http.StatusTemporaryRedirect || a.header.Get("Location") != "/me?x=1" {
		t.Fatalf("got %d to %q", a.status, a.header.Get("Location"))
	}
	if p.cookie(sessionCookie) != old {
		t.Fatal("the cookie was taken away")
	}
	p.setCookie(sessionCookie, renewed) // what the first tab got meanwhile
	if a := p.get("/me?x=1"); a.status != http.StatusOK {
		t.Errorf("with the newer cookie: %d", a.status)
	}

	p.setCookie(sessionCookie, old)
	p.get("/me")
	if a := p.get("/me"); a.status != http.StatusSeeOther || p.cookie(sessionCookie) != "" {
		t.Errorf("the old cookie twice: %d", a.status)
	}
}

func TestDisabledPersonIsOut(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	p.op.Set(func(b *idp.Behaviour) { b.Disabled, b.Refuse = true, "access_denied" })
	p.later(16 * time.Minute)
	if a := p.get("/"); a.status != http.StatusForbidden {
		t.Errorf("got %d at %s", a.status, a.url)
	}
}

func TestSilentRedirectWithoutRefreshToken(t *testing.T) {
	p := start(t, "", nil)
	p.op.Set(func(b *idp.Behaviour) { b.NoRefresh = true })
	p.signIn()
	p.later(16 * time.Minute)
	p.still()
	target, _ := url.Parse(p.get("/me").header.Get("Location"))
	if target.Query().Get("prompt") != "none" {
		t.Fatalf("went to %s", target)
	}
	p.follow()
	if a := p.get("/me"); a.status != http.StatusOK || a.url.Path != "/me" {
		t.Errorf("ended with %d at %s", a.status, a.url)
	}
	p.op.Set(func(b *idp.Behaviour) { b.SignedOut = true })
	p.later(16 * time.Minute)
	before, _ := p.op.Counts()
	if a := p.get("/me"); a.status != http.StatusOK || a.url.Path != "/me" {
		t.Errorf("login_required ended with %d at %s", a.status, a.url)
	}
	if after, _ := p.op.Counts(); after != before+1 {
		t.Errorf("%d sign-ins instead of one", after-before)
	}
}

func TestProviderDownAtRenewal(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	p.later(16 * time.Minute)
	p.op.Set(func(b *idp.Behaviour) { b.Down = true })
	if a := p.get("/me"); a.status != http.StatusServiceUnavailable {
		t.Errorf("got %d", a.status)
	}
	p.op.Set(func(b *idp.Behaviour) { b.Down = false })
	if a := p.get("/me"); a.status != http.StatusOK {
		t.Errorf("afterwards: %d", a.status)
	}
}

func TestSessionEndsAfterADay(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	for range 4 {
		p.later(7 * time.Hour)
		p.get("/me")
	}
	if exchanges, _ := p.op.Counts(); exchanges != 2 {
		t.Errorf("signed in %d times in 28 h, not twice", exchanges)
	}
}

func TestRenewForScripts(t *testing.T) {
	p := start(t, "", nil)
	if a := p.post("/auth/renew", nil); a.status != http.StatusUnauthorized {
		t.Errorf("nobody: %d", a.status)
	}
	p.signIn()
	before := p.cookie(sessionCookie)
	a := p.post("/auth/renew", nil)
	if a.status != http.StatusNoContent || p.cookie(sessionCookie) == before {
		t.Errorf("got %d", a.status)
	}
	until, err := time.Parse(time.RFC3339, a.header.Get(untilHeader))
	if err != nil || until.Before(p.now().Add(14*time.Minute)) || until.After(p.now().Add(16*time.Minute)) {
		t.Errorf("to be renewed by %s: %v", until, err)
	}
	p.op.Set(func(b *idp.Behaviour) { b.Down = true })
	if a := p.post("/auth/renew", nil); a.status != http.StatusServiceUnavailable {
		t.Errorf("provider down: %d", a.status)
	}
	p.op.Set(func(b *idp.Behaviour) { b.Down, b.Disabled = false, true })
	if a := p.post("/auth/renew", nil); a.status != http.StatusUnauthorized {
		t.Errorf("disabled: %d", a.status)
	}
}

func TestPostWithoutSessionKeepsWhatWasTyped(t *testing.T) {
	p := start(t, "", nil)
	a := p.post("/clusters/team-a/one/scale/machine-deployment/md-0",
		url.Values{"uid": {"uid-one"}, "seen": {"3"}, "replicas": {"17"}, "do": {"apply"}})
	if a.status != http.StatusUnauthorized || len(p.fleet.wishes()) != 0 {
		t.Fatalf("got %d", a.status)
	}
	if v, _ := a.find(t, "input[name=replicas]").Attr("value"); v != "17" {
		t.Errorf("typed value: %q", v)
	}
	href, _ := a.find(t, "main a[href*='/auth/login']").Attr("href")
	want := "/auth/login?return=" + url.QueryEscape("/clusters/team-a/one?kind=machine-deployment&pool=md-0&replicas=17")
	if href != want {
		t.Errorf("sign-in leads to %s, not %s", href, want)
	}
}

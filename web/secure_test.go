package web

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

func TestHeaders(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	for _, path := range []string{"/", "/nowhere", "/auth/signed-out"} {
		h := p.get(path).header
		csp := h.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'",
			"base-uri 'none'", "form-action 'self'"} {
			if !strings.Contains(csp, part) {
				t.Errorf("%s: the CSP %q lacks %q", path, csp, part)
			}
		}
		if strings.Contains(csp, "unsafe") || h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

func TestPagesHaveNothingInline(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	for _, path := range []string{"/", "/clusters/team-a/one", "/catalog", "/me"} {
		a := p.get(path)
		if n := a.find(t, "script:not([src]), style, [style], [onclick], [onchange]").Length(); n > 0 {
			t.Errorf("%s: %d inline scripts or styles", path, n)
		}
	}
}

func TestCrossOriginPostIsRefused(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	form := url.Values{"theme": {"dark"}, "return": {"/"}}
	for name, header := range map[string][]string{
		"another origin":    {"Origin", "https://evil.example"},
		"another site":      {"Sec-Fetch-Site", "cross-site"},
		"a sister's domain": {"Sec-Fetch-Site", "same-site"},
	} {
		if a := p.post("/preferences", form, header...); a.status != http.StatusForbidden {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	if a := p.post("/preferences", form, "Origin", p.origin(), "Sec-Fetch-Site", "same-origin"); a.status != http.StatusOK {
		t.Errorf("our own: %d", a.status)
	}
}

func TestOtherHostIsRedirected(t *testing.T) {
	p := start(t, "/capstan", nil)
	p.still()
	get := func(path, host string) answer {
		req := p.request(http.MethodGet, "", nil)
		req.URL.Path, req.URL.RawQuery, _ = strings.Cut(path, "?")
		req.Host = host
		return p.send(req)
	}
	a := get("/capstan/me?x=1", "other.example")
	if a.status != http.StatusPermanentRedirect || a.header.Get("Location") != p.base+"/me?x=1" {
		t.Errorf("got %d to %q", a.status, a.header.Get("Location"))
	}
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		if a := get(path, "10.0.0.7:8080"); a.status != http.StatusOK {
			t.Errorf("%s: %d", path, a.status)
		}
	}
}

func TestRequestIDs(t *testing.T) {
	p := start(t, "", nil)
	for given, kept := range map[string]bool{"abcdefgh-1234": true, "short": false, "has spaces in it": false, strings.Repeat("x", 200): false, "": false} {
		req := p.request(http.MethodGet, "/auth/signed-out", nil)
		if given != "" {
			req.Header.Set("X-Request-Id", given)
		}
		if got := p.send(req).header.Get("X-Request-Id"); got == "" || (got == given) != kept {
			t.Errorf("%q became %q", given, got)
		}
	}
}

func TestLogHasNoQuery(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	if log := p.log.String(); strings.Contains(log, "code=") || strings.Contains(log, "state=") || !strings.Contains(log, "route=/auth/callback") {
		t.Errorf("the log: %s", log)
	}
}

func TestErrorsBecomePages(t *testing.T) {
	secret := io.ErrUnexpectedEOF
	tests := map[string]struct {
		err    error
		status int
	}{
		"forbidden":   {fail.Wrap(secret, fail.Forbidden, message.New("web.error.form")), 403},
		"not found":   {fail.Wrap(secret, fail.NotFound, message.New("web.error.not-found")), 404},
		"conflict":    {fail.Wrap(secret, fail.Conflict, message.New("web.error.form")), 409},
		"too large":   {fail.Wrap(secret, fail.TooLarge, message.New("web.error.too-large")), 413},
		"invalid":     {fail.Wrap(secret, fail.Invalid, message.New("web.error.form")), 422},
		"too many":    {fail.Wrap(secret, fail.TooMany, message.New("web.error.too-many")), 429},
		"internal":    {secret, 500},
		"unavailable": {fail.Wrap(secret, fail.Unavailable, message.New("login.unreachable")), 503},
	}
	p := start(t, "", nil)
	p.signIn()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p.fleet.do(func() { p.fleet.broken = test.err })
			a := p.get("/")
			if a.status != test.status || a.find(t, "h1").Length() != 1 {
				t.Errorf("got %d", a.status)
			}
			if strings.Contains(a.body, secret.Error()) {
				t.Error("the page shows the cause")
			}
			if id := a.header.Get("X-Request-Id"); !strings.Contains(a.body, id) || !strings.Contains(p.log.String(), "request="+id) {
				t.Error("the request id is not in page and log")
			}
		})
	}
	if !strings.Contains(p.log.String(), secret.Error()) {
		t.Error("the log lacks the cause")
	}
}

func TestUnknownAddresses(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	for path, status := range map[string]int{"/nowhere": 404, "/clusters/team-a/none": 404, "/clusters/Team_A/one": 404, "/clusters/team-a/..%2Fone": 404} {
		if a := p.get(path); a.status != status || a.find(t, "h1").Length() != 1 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if a := p.post("/me", nil); a.status != http.StatusMethodNotAllowed {
		t.Errorf("POST /me: %d", a.status)
	}
	if a := p.send(p.request(http.MethodHead, "/", nil)); a.status != http.StatusOK || a.body != "" {
		t.Errorf("HEAD: %d, %d bytes", a.status, len(a.body))
	}
}

func TestLargeFormIsRefused(t *testing.T) {
	p := start(t, "", nil)
	if a := p.post("/preferences", url.Values{"x": {strings.Repeat("x", maxBody+1)}}); a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("got %d", a.status)
	}
}

func TestPanicIsAPage(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	p.fleet.do(func() { p.fleet.panics = true })
	if a := p.get("/me"); a.status != http.StatusInternalServerError || strings.Contains(a.body, "boom") {
		t.Errorf("got %d", a.status)
	}
	if !strings.Contains(p.log.String(), "boom") {
		t.Error("the log lacks the panic")
	}
}

func TestPreferences(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	a := p.post("/preferences", url.Values{"lang": {"zh-Hans"}, "return": {"/me"}})
	if lang, _ := a.find(t, "html").Attr("lang"); lang != "zh-Hans" || a.url.Path != "/me" {
		t.Errorf("lang %q at %s", lang, a.url)
	}
	a = p.post("/preferences", url.Values{"theme": {"dark"}, "return": {"https://evil.example"}})
	if theme, _ := a.find(t, "html").Attr("class"); theme != "dark" || a.url.Path != "/" {
		t.Errorf("theme %q at %s", theme, a.url)
	}
	a = p.post("/preferences", url.Values{"theme": {""}, "lang": {"klingon"}, "return": {"/"}})
	theme, _ := a.find(t, "html").Attr("class")
	if lang, _ := a.find(t, "html").Attr("lang"); theme != "" || lang != "zh-Hans" {
		t.Errorf("theme %q, lang %q", theme, lang)
	}
}

func TestLanguageOfTheBrowser(t *testing.T) {
	p := start(t, "", nil)
	req := p.request(http.MethodGet, "/auth/signed-out", nil)
	req.Header.Set("Accept-Language", "zh-CN,zh;q=0.9,en;q=0.5")
	if lang, _ := p.send(req).find(t, "html").Attr("lang"); lang != "zh-Hans" {
		t.Errorf("got %q", lang)
	}
}

func TestProbes(t *testing.T) {
	ready := false
	p := start(t, "", func(d *Deps) { d.Ready = func() bool { return ready } })
	if a := p.get("/readyz"); a.status != http.StatusServiceUnavailable {
		t.Errorf("not ready: %d", a.status)
	}
	ready = true
	if a := p.get("/readyz"); a.status != http.StatusOK {
		t.Errorf("ready: %d", a.status)
	}
	if a := p.get("/metrics"); !strings.Contains(a.body, `capstan_http_request_duration_seconds_count{method="GET",route="/readyz",status="503"} 1`) {
		t.Errorf("metrics: %s", a.body)
	}
}

func TestCatalogIsSearched(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	if a := p.get("/catalog?q=GPU"); strings.Contains(a.body, ">plain<") || !strings.Contains(a.body, "rich") {
		t.Errorf("unexpected classes: %s", a.body)
	}
}

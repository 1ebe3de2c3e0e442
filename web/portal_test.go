package web

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/testkit/idp"
)

// portal is a server on a real port with a fake fleet and a test provider.
type portal struct {
	*Server
	t       *testing.T
	fleet   *fakeFleet
	op      *idp.Provider
	base    string // URL with the prefix
	log     *safeBuffer
	ahead   atomic.Int64 // how far the portal's clock was moved, in ns
	browser *http.Client
}

// safeBuffer is a log that may be read while it is written.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// start makes a portal below prefix; change may be nil.
func start(t *testing.T, prefix string, change func(*Deps)) *portal {
	t.Helper()
	p := &portal{t: t, fleet: newFakeFleet(), log: &safeBuffer{}}
	p.op = idp.New(t, p.now)
	words, err := message.Load()
	if err != nil {
		t.Fatal(err)
	}
	keys, err := auth.NewKeyring([]auth.Key{{ID: "k", Secret: bytes.Repeat([]byte{7}, 32)}})
	if err != nil {
		t.Fatal(err)
	}
	listener := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.ServeHTTP(w, r) }))
	public := &url.URL{Scheme: "http", Host: listener.Listener.Addr().String(), Path: prefix}
	p.base = public.String()
	log := slog.New(slog.NewTextHandler(p.log, nil))
	provider := auth.NewProvider(auth.Settings{Issuer: p.op.URL, ClientID: idp.ClientID, ClientSecret: idp.ClientSecret,
		NamePrefix: "oidc:", GroupsPrefix: "oidc:", Callback: p.base + "/auth/callback", SignedOut: p.base + "/auth/signed-out",
		Now: p.now, Log: log})
	provider.Connect(t.Context())
	deps := Deps{Fleet: p.fleet, Identity: provider, Keys: keys, Words: words, PublicURL: public, Log: log, Now: p.now,
		Pace: Pace{Window: 20 * time.Millisecond, Retry: 20 * time.Millisecond}}
	if change != nil {
		change(&deps)
	}
	if p.Server, err = New(deps); err != nil {
		t.Fatal(err)
	}
	listener.Start()
	t.Cleanup(listener.Close)
	p.browser = p.newBrowser()
	return p
}

func (p *portal) now() time.Time { return time.Now().Add(time.Duration(p.ahead.Load())) }

func (p *portal) later(d time.Duration) { p.ahead.Add(int64(d)) }

// newBrowser has its own cookies and follows redirects.
func (p *portal) newBrowser() *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return &http.Client{Jar: jar, Timeout: 20 * time.Second}
}

// answer is a response that has been read.
type answer struct {
	status int
	header http.Header
	url    *url.URL // where redirects ended
	body   string
}

func (a answer) find(t *testing.T, selector string) *goquery.Selection {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	return doc.Find(selector)
}

func (p *portal) send(req *http.Request) answer {
	p.t.Helper()
	res, err := p.browser.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, res.Request.URL, string(body)}
}

func (p *portal) request(method, path string, body io.Reader) *http.Request {
	p.t.Helper()
	req, err := http.NewRequest(method, p.base+path, body)
	if err != nil {
		p.t.Fatal(err)
	}
	return req
}

func (p *portal) get(path string) answer {
	p.t.Helper()
	return p.send(p.request(http.MethodGet, path, nil))
}

func (p *portal) post(path string, values url.Values, header ...string) answer {
	p.t.Helper()
	req := p.request(http.MethodPost, path, strings.NewReader(values.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return p.send(req)
}

// still does not follow redirects from now on.
func (p *portal) still() {
	p.browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
}

func (p *portal) follow() { p.browser.CheckRedirect = nil }

// signIn opens the home page, as somebody new does.
func (p *portal) signIn() answer {
	p.t.Helper()
	a := p.get("/")
	if a.status != http.StatusOK || a.find(p.t, "[id^=row-]").Length() != 2 {
		p.t.Fatalf("signing in ended with %d at %s: %s", a.status, a.url, a.body)
	}
	return a
}

func (p *portal) cookie(base string) string {
	u, err := url.Parse(p.base + "/")
	if err != nil {
		p.t.Fatal(err)
	}
	for _, c := range p.browser.Jar.Cookies(u) {
		if c.Name == p.jar.Name(base) {
			return c.Value
		}
	}
	return ""
}

func (p *portal) setCookie(base, value string) {
	u, err := url.Parse(p.base + "/")
	if err != nil {
		p.t.Fatal(err)
	}
	path := p.PublicURL.Path
	if path == "" {
		path = "/"
	}
	p.browser.Jar.SetCookies(u, []*http.Cookie{{Name: p.jar.Name(base), Value: value, Path: path}})
}

// wait waits until cond holds.
func wait(t *testing.T, what string, cond func() bool) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !cond() {
		select {
		case <-deadline:
			t.Fatalf("never: %s", what)
		case <-tick.C:
		}
	}
}

package auth

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

func parse(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestSessionRoundTrip(t *testing.T) {
	k, now := ring(t, "a"), time.Unix(1_800_000_000, 0)
	in := Session{User: User{Subject: "1", Name: "oidc:ada", Display: "ada", Groups: []string{"oidc:team-a"}},
		ID: "id", Refresh: "r", Began: now, Checked: now}
	sealed, err := k.SealSession("c", in, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	out, ok := k.OpenSession("c", sealed, Limits{}, now)
	if !ok || !reflect.DeepEqual(in, out) {
		t.Errorf("got %+v, want %+v", out, in)
	}
}

func TestSessionEnds(t *testing.T) {
	k, began := ring(t, "a"), time.Unix(1_800_000_000, 0)
	tests := map[string]struct {
		checked, now time.Duration
		limits       Limits
		want         bool
	}{
		"fresh":             {0, time.Hour, Limits{}, true},
		"idle":              {0, 8 * time.Hour, Limits{}, false},
		"renewed":           {7 * time.Hour, 14 * time.Hour, Limits{}, true},
		"at most a day":     {23 * time.Hour, 24 * time.Hour, Limits{}, false},
		"shortened setting": {0, time.Hour, Limits{Idle: time.Minute}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := Session{User: User{Name: "ada"}, Began: began, Checked: began.Add(test.checked)}
			sealed, err := k.SealSession("c", s, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := k.OpenSession("c", sealed, test.limits, began.Add(test.now)); ok != test.want {
				t.Errorf("got %v, want %v", ok, test.want)
			}
		})
	}
}

func TestCookieNames(t *testing.T) {
	tests := map[string]string{
		"https://capstan.example.com":      "__Host-capstan-session",
		"https://example.com/capstan":      "__Secure-capstan-session",
		"http://localhost:8080":            "capstan-session-8080",
		"http://127.0.0.1:9000/capstan":    "capstan-session-9000",
		"https://capstan.example.com:8443": "__Host-capstan-session",
	}
	for public, want := range tests {
		if got := NewJar(parse(t, public)).Name("session"); got != want {
			t.Errorf("%s: got %s, want %s", public, got, want)
		}
	}
}

// carry gives a request the cookies of an answer, as a browser does.
func carry(t *testing.T, before *http.Request, answer *httptest.ResponseRecorder) *http.Request {
	t.Helper()
	kept := map[string]string{}
	for _, c := range before.Cookies() {
		kept[c.Name] = c.Value
	}
	for _, c := range answer.Result().Cookies() {
		if c.MaxAge < 0 {
			delete(kept, c.Name)
			continue
		}
		if len(c.String()) > 4096 {
			t.Errorf("cookie %s has %d bytes", c.Name, len(c.String()))
		}
		kept[c.Name] = c.Value
	}
	next := httptest.NewRequest(http.MethodGet, "/", nil)
	for name, value := range kept {
		next.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	return next
}

func TestCookiesAreSplitAndCleared(t *testing.T) {
	j := NewJar(parse(t, "https://example.com/capstan"))
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for _, size := range []int{100, 9000, 3800, 3801, 0, 15000, 10} {
		value := strings.Repeat("x", size)
		w := httptest.NewRecorder()
		if err := j.Set(w, r, "session", value, time.Hour); err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		r = carry(t, r, w)
		if got := j.Get(r, "session"); got != value {
			t.Fatalf("%d bytes: %d came back", size, len(got))
		}
	}
	w := httptest.NewRecorder()
	j.Clear(w, r, "session")
	if left := carry(t, r, w).Cookies(); len(left) > 0 {
		t.Errorf("left after Clear: %v", left)
	}
	if j.Set(httptest.NewRecorder(), r, "session", strings.Repeat("x", 20000), time.Hour) == nil {
		t.Error("20000 bytes were taken")
	}
}

func TestCookieAttributes(t *testing.T) {
	w := httptest.NewRecorder()
	if err := NewJar(parse(t, "https://a.example.com")).Set(w, httptest.NewRequest(http.MethodGet, "/", nil), "session", "v", time.Hour); err != nil {
		t.Fatal(err)
	}
	c := w.Result().Cookies()[0]
	if !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
		t.Errorf("unexpected attributes: %s", c)
	}
}

func TestLocalPath(t *testing.T) {
	same := []string{"/", "/clusters/a/b?x=1", "/me", "/?q=%2F%2Fevil"}
	for _, path := range same {
		if got := LocalPath(path); got != path {
			t.Errorf("%q became %q", path, got)
		}
	}
	away := []string{"", "me", "//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example",
		"/%2fevil.example", "/auth/login", "/auth/logout?x", "javascript:alert(1)", "/\x00", "/" + strings.Repeat("x", 2000)}
	for _, path := range away {
		if got := LocalPath(path); got != "/" {
			t.Errorf("%q became %q", path, got)
		}
	}
}

func FuzzLocalPath(f *testing.F) {
	f.Add("/clusters/a/b?x=1")
	f.Add("//evil.example")
	base, _ := url.Parse("https://capstan.example.com/")
	f.Fuzz(func(t *testing.T, path string) {
		u, err := base.Parse(LocalPath(path))
		if err != nil || u.Host != base.Host || u.Scheme != base.Scheme {
			t.Errorf("%q leads to %v, %v", path, u, err)
		}
	})
}

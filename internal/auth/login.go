package auth

import (
	"crypto/rand"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

// loginLife is how long somebody may take at the provider's sign-in page.
const loginLife = 15 * time.Minute

// Login is a sign-in under way. It lives in a sealed cookie of its own, so that
// several tabs can sign in at once.
type Login struct {
	State    string    `json:"s"`
	Nonce    string    `json:"n"`
	Verifier string    `json:"v"`
	Return   string    `json:"r"` // local path, without prefix
	Silent   bool      `json:"q,omitempty"`
	ID       string    `json:"i,omitempty"` // of the session that is renewed silently
	Subject  string    `json:"u,omitempty"` // whose session it is
	Began    time.Time `json:"b"`
	Session  time.Time `json:"t,omitzero"` // when the renewed session began
}

// NewLogin starts a sign-in that comes back to the local path back.
func NewLogin(back string, now time.Time) Login {
	return Login{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(),
		Return: LocalPath(back), Began: now}
}

// Renewing makes l a silent sign-in (prompt=none) that prolongs s: the session
// keeps its id and the moment it began, so that its maximum holds.
func (l Login) Renewing(s Session) Login {
	l.Silent, l.ID, l.Subject, l.Session = true, s.ID, s.User.Subject, s.Began
	return l
}

// LoginCookie is the base name of the cookie for one state.
func LoginCookie(state string) string {
	if len(state) > 12 {
		state = state[:12]
	}
	return "login-" + state
}

// SealLogin is l as the value of the cookie called name.
func (k *Keyring) SealLogin(name string, l Login) (string, error) {
	plain, err := json.Marshal(l)
	if err != nil {
		return "", err
	}
	return k.Seal(name, plain), nil
}

// OpenLogin gives the sign-in that was sealed for name; false when there is
// none, it has another state, or it took too long.
func (k *Keyring) OpenLogin(name, sealed, state string, now time.Time) (Login, bool) {
	plain, err := k.Open(name, sealed)
	if err != nil {
		return Login{}, false
	}
	var l Login
	if json.Unmarshal(plain, &l) != nil || l.State == "" || l.State != state {
		return Login{}, false
	}
	return l, now.Sub(l.Began) < loginLife
}

// LocalPath is path if it leads to a page of the portal, else "/". Anything
// that a browser could take for another host, and the sign-in pages
// themselves, are no such paths.
func LocalPath(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || len(path) > 1500 {
		return "/"
	}
	for _, r := range path {
		// Browsers drop control characters and read a backslash as a slash.
		if r < ' ' || r == '\\' || r == 0x7f {
			return "/"
		}
	}
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || strings.HasPrefix(u.Path, "//") {
		return "/"
	}
	if strings.HasPrefix(u.Path, "/auth/") {
		return "/"
	}
	return path
}

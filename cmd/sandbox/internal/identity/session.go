package identity

import (
	"context"
	"net/http"
	"net/url"
)

// sessionKey is the context key of the browser's session id.
type sessionKey struct{}

// withSession hands the browser's session to the storage, which sees contexts
// only, and takes the cookie away at sign-out.
func (p *pages) withSession(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie(p.cookie); err == nil {
			r = r.WithContext(context.WithValue(r.Context(), sessionKey{}, c.Value))
		}
		if r.URL.Path == "/end_session" {
			http.SetCookie(w, p.newCookie("", -1))
		}
		next.ServeHTTP(w, r)
	})
}

func sessionFrom(ctx context.Context) string {
	id, _ := ctx.Value(sessionKey{}).(string)
	return id
}

// newCookie is the single sign-on cookie. Browsers don't tell ports apart, so
// its name holds the port: several sandboxes share one host.
func (p *pages) newCookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{Name: p.cookie, Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true, SameSite: http.SameSiteLaxMode}
}

func cookieName(issuer string) string {
	u, err := url.Parse(issuer)
	if err != nil {
		return "sandbox_sign_on"
	}
	return "sandbox_sign_on_" + u.Port()
}

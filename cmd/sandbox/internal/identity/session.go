package identity

import (
	"context"
	"net/http"
	"net/url"
)

// visit is what the storage must know about a request; the library hands it
// contexts only.
type visit struct {
	session  string // of the single sign-on cookie
	returnTo string // where the browser wants to be sent back to
}

type visitKey struct{}

// withVisit describes the visit in the context, and takes the cookie away at
// sign-out.
func (p *pages) withVisit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var v visit
		if c, err := r.Cookie(p.cookie); err == nil {
			v.session = c.Value
		}
		switch r.URL.Path {
		case "/authorize":
			v.returnTo = r.FormValue("redirect_uri")
		case "/end_session":
			v.returnTo = r.FormValue("post_logout_redirect_uri")
			http.SetCookie(w, p.newCookie("", -1))
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitKey{}, v)))
	})
}

func visitFrom(ctx context.Context) visit {
	v, _ := ctx.Value(visitKey{}).(visit)
	return v
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

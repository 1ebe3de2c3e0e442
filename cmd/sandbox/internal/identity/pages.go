package identity

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
)

var (
	//go:embed pages.html
	pagesHTML string
	//go:embed pages.css
	pagesCSS []byte
)

// pages are the few pages that people see.
type pages struct {
	store    *storage
	cookie   string
	callback func(context.Context, string) string
	issuer   string
}

// page is the view model of all of them.
type page struct {
	Title, Message, Error string
	Request, Name         string
	Accounts              []Account
}

// show asks for name and password, unless the browser has signed in already.
func (p *pages) show(w http.ResponseWriter, r *http.Request) {
	request, err := p.request(r)
	if err != nil {
		p.render(w, http.StatusBadRequest, "", page{Title: "Sign-in ran out", Error: err.Error()})
		return
	}
	if request.done {
		http.Redirect(w, r, p.next(r, request.id), http.StatusFound)
		return
	}
	p.render(w, http.StatusOK, request.asked.RedirectURI, page{Title: "Sign in", Request: request.id, Name: request.asked.LoginHint, Accounts: Accounts()})
}

// submit checks name and password.
func (p *pages) submit(w http.ResponseWriter, r *http.Request) {
	request, err := p.request(r)
	if err != nil {
		p.render(w, http.StatusBadRequest, "", page{Title: "Sign-in ran out", Error: err.Error()})
		return
	}
	name := r.PostFormValue("username")
	session, err := p.store.signIn(request.id, name, r.PostFormValue("password"))
	if err != nil {
		p.render(w, http.StatusUnauthorized, request.asked.RedirectURI, page{Title: "Sign in", Error: sentence(err), Request: request.id, Name: name, Accounts: Accounts()})
		return
	}
	http.SetCookie(w, p.newCookie(session, 0))
	http.Redirect(w, r, p.next(r, request.id), http.StatusFound)
}

func (p *pages) request(r *http.Request) (authRequest, error) {
	found, err := p.store.AuthRequestByID(r.Context(), r.FormValue("request"))
	if err != nil {
		return authRequest{}, err
	}
	request, ok := found.(*authRequest)
	if !ok {
		return authRequest{}, errStale
	}
	p.store.mu.Lock()
	defer p.store.mu.Unlock()
	return *request, nil
}

// next is the provider's own address that sends the browser back.
func (p *pages) next(r *http.Request, id string) string {
	u, err := url.Parse(p.callback(r.Context(), id))
	if err != nil {
		return "/"
	}
	return p.issuer + "/" + trimSlash(u.Path) + "?" + u.RawQuery
}

func trimSlash(path string) string {
	for len(path) > 0 && path[0] == '/' {
		path = path[1:]
	}
	return path
}

func (p *pages) signedOut(w http.ResponseWriter, _ *http.Request) {
	p.render(w, http.StatusOK, "", page{Title: "Signed out", Message: "You have signed out."})
}

func (p *pages) home(w http.ResponseWriter, _ *http.Request) {
	p.render(w, http.StatusOK, "", page{Title: "Development identity provider", Message: "Start from the application that you want to sign in to.", Accounts: Accounts()})
}

func (p *pages) style(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	if _, err := w.Write(pagesCSS); err != nil {
		slog.Debug("style sheet not delivered", "error", err)
	}
}

// render writes a page. form-action also rules the redirects after a POST, so
// the application that the browser returns to is named in it.
func (p *pages) render(w http.ResponseWriter, status int, returnTo string, data page) {
	parsed, err := template.New("page").Parse(pagesHTML)
	var body bytes.Buffer
	if err == nil {
		err = parsed.Execute(&body, data)
	}
	if err != nil {
		http.Error(w, "the page can't be shown", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"+originOf(returnTo))
	w.WriteHeader(status)
	if _, err := body.WriteTo(w); err != nil {
		slog.Debug("page not delivered", "error", err)
	}
}

// originOf is the origin of an address, led by a blank.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return " " + u.Scheme + "://" + u.Host
}

// sentence words an error for people.
func sentence(err error) string {
	if errors.Is(err, errWrongPassword) {
		return "Name or password is wrong, or the account is disabled."
	}
	return "This sign-in has run out. Start again from the application."
}

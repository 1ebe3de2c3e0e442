//go:build sandbox

package testkit

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"k8s.io/apimachinery/pkg/util/wait"
)

// Person is somebody who is signed in to a portal, in a browser without scripts
// and pictures: a few milliseconds for what Chromium needs seconds for.
type Person struct {
	portal string // public URL, without a slash at the end
	client *http.Client
	t      testing.TB
}

// Answer is what a portal answered; redirects of forms are not followed.
type Answer struct {
	Status         int
	Body, Location string
}

// SignIn signs an account of the sandbox in to a portal.
func SignIn(t testing.TB, portal, account string) *Person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &Person{portal: portal, t: t, client: &http.Client{Jar: jar}}
	to, values := p.provider()
	values.Set("username", account)
	values.Set("password", account)
	response, err := p.client.PostForm(to, values)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Request.URL.String(), portal) {
		t.Fatalf("signing in %s ends at %s with %s:\n%s", account, response.Request.URL, response.Status, body)
	}
	p.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return p
}

// provider opens the provider's form, as soon as the portal has found its
// provider: where it posts to, and what it holds.
func (p *Person) provider() (to string, values url.Values) {
	p.t.Helper()
	err := wait.PollUntilContextTimeout(context.Background(), 200*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		response, err := p.client.Get(p.portal + "/")
		if err != nil {
			return false, err
		}
		defer func() { _ = response.Body.Close() }()
		doc, err := goquery.NewDocumentFromReader(response.Body)
		if err != nil {
			return false, err
		}
		form := doc.Find("form").Has("input[type=password]")
		if form.Length() == 0 {
			return false, nil
		}
		action, err := response.Request.URL.Parse(form.AttrOr("action", ""))
		to, values = action.String(), url.Values{"request": {form.Find("input[name=request]").AttrOr("value", "")}}
		return true, err
	})
	if err != nil {
		p.t.Fatalf("no sign-in form: %v", err)
	}
	return to, values
}

// In is the same person for a part of the test, which fails alone.
func (p *Person) In(t testing.TB) *Person { return &Person{portal: p.portal, client: p.client, t: t} }

// Get reads a page.
func (p *Person) Get(path string) Answer {
	p.t.Helper()
	return p.ask(http.MethodGet, path, nil)
}

// Post sends a form.
func (p *Person) Post(path string, values url.Values) Answer {
	p.t.Helper()
	return p.ask(http.MethodPost, path, values)
}

func (p *Person) ask(method, path string, values url.Values) Answer {
	p.t.Helper()
	request, err := http.NewRequest(method, p.portal+path, strings.NewReader(values.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Accept-Language", "en")
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := p.client.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return Answer{response.StatusCode, string(body), response.Header.Get("Location")}
}

// Form reads the form that selector finds in a page; its buttons are posted to
// the page's own path.
func (p *Person) Form(path, selector string) *HTMLForm {
	p.t.Helper()
	a := p.Get(path)
	return ReadForm(p.t, selector, a.Status, a.Body, func(values url.Values) (int, string) {
		bare, _, _ := strings.Cut(path, "?")
		a := p.Post(bare, values)
		return a.Status, a.Body
	})
}

package web

import (
	"net/http"
	"net/url"
	"testing"
)

func TestSlashAtTheEnd(t *testing.T) {
	for _, prefix := range []string{"", "/capstan"} {
		p := start(t, prefix, nil)
		p.signIn()
		p.still()
		origin := p.origin()
		for path, want := range map[string]string{
			"/catalog/":         origin + prefix + "/catalog",
			"/catalog/?q=a%2Fb": origin + prefix + "/catalog?q=a%2Fb",
			"/create/a/b//":     origin + prefix + "/create/a/b",
			"//evil.example/":   origin + prefix + "/evil.example",
			"/%5Cevil.example/": origin + prefix + "/%5Cevil.example",
			"///":               origin + prefix + "/",
			"/clusters/a/b%2F/": origin + prefix + "/clusters/a/b%2F",
		} {
			a := p.get(path)
			if a.status != http.StatusPermanentRedirect || a.header.Get("Location") != want {
				t.Errorf("%s%s: got %d to %q, want %q", prefix, path, a.status, a.header.Get("Location"), want)
			}
		}
		if a := p.get("/"); a.status != http.StatusOK {
			t.Errorf("the home page: got %d", a.status)
		}
		if a := p.post("/preferences/", url.Values{}); a.status == http.StatusPermanentRedirect {
			t.Error("a POST is sent on")
		}
	}
}

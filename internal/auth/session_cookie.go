package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// chunkSize is what goes into one cookie; browsers take 4096 bytes with name
// and attributes.
const chunkSize = 3800

// maxChunks keeps all cookies together below what servers and proxies take.
const maxChunks = 4

// Jar knows how the portal's cookies are called and where they are sent.
type Jar struct {
	public *url.URL
}

// NewJar takes the URL where browsers find the portal.
func NewJar(public *url.URL) Jar { return Jar{public: public} }

// Name is a cookie's full name: __Host- where the portal has the host for
// itself, __Secure- below a path; without TLS, which only happens on loopback,
// a plain name with the port, since cookies don't tell ports apart.
func (j Jar) Name(base string) string {
	base = "capstan-" + base
	switch {
	case j.public.Scheme != "https":
		port := j.public.Port()
		if port == "" {
			port = "80"
		}
		return base + "-" + port
	case j.path() == "/":
		return "__Host-" + base
	default:
		return "__Secure-" + base
	}
}

// Base is the base name of a cookie that Name has named; false for all others.
func (j Jar) Base(name string) (string, bool) {
	prefix, suffix, _ := strings.Cut(j.Name("*"), "*")
	base, ok := strings.CutPrefix(name, prefix)
	if !ok || !strings.HasSuffix(base, suffix) {
		return "", false
	}
	return strings.TrimSuffix(base, suffix), true
}

func (j Jar) path() string {
	if j.public.Path == "" {
		return "/"
	}
	return j.public.Path
}

// Set writes value under base, in as many cookies as it needs, and clears what
// an earlier, longer or shorter value left in r. A maxAge of 0 means until the
// browser closes.
func (j Jar) Set(w http.ResponseWriter, r *http.Request, base, value string, maxAge time.Duration) error {
	name, kept := j.Name(base), map[string]bool{}
	chunks := split(value)
	if len(chunks) > maxChunks {
		return fmt.Errorf("auth: cookie %s would need %d bytes", name, len(value))
	}
	for i, chunk := range chunks {
		part := name
		if len(chunks) > 1 {
			part = name + "." + strconv.Itoa(i)
		}
		kept[part] = true
		http.SetCookie(w, j.cookie(part, chunk, maxAge))
	}
	j.clear(w, r, name, kept)
	return nil
}

// Get reads what Set wrote; empty when there is nothing.
func (j Jar) Get(r *http.Request, base string) string {
	name := j.Name(base)
	if c, err := r.Cookie(name); err == nil {
		return c.Value
	}
	var value string
	for i := range maxChunks {
		c, err := r.Cookie(name + "." + strconv.Itoa(i))
		if err != nil {
			break
		}
		value += c.Value
	}
	return value
}

// Clear removes what Set wrote.
func (j Jar) Clear(w http.ResponseWriter, r *http.Request, base string) {
	j.clear(w, r, j.Name(base), nil)
}

func (j Jar) clear(w http.ResponseWriter, r *http.Request, name string, kept map[string]bool) {
	names := []string{name}
	for i := range maxChunks {
		names = append(names, name+"."+strconv.Itoa(i))
	}
	for _, part := range names {
		if _, err := r.Cookie(part); err == nil && !kept[part] {
			http.SetCookie(w, j.cookie(part, "", -1))
		}
	}
}

func (j Jar) cookie(name, value string, maxAge time.Duration) *http.Cookie {
	c := &http.Cookie{
		Name: name, Value: value, Path: j.path(), HttpOnly: true,
		Secure: j.public.Scheme == "https", SameSite: http.SameSiteLaxMode,
		MaxAge: int(maxAge / time.Second),
	}
	if maxAge < 0 {
		c.MaxAge = -1
	}
	return c
}

func split(value string) []string {
	var chunks []string
	for len(value) > chunkSize {
		chunks = append(chunks, value[:chunkSize])
		value = value[chunkSize:]
	}
	return append(chunks, value)
}

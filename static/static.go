// Package static holds the embedded assets and serves them under URLs that
// contain a hash of their content, so that browsers may keep them for ever.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed css/app.css js/*.js vendor/*.js icons/*.svg
var files embed.FS

// bundle is the embedded files, hashed and compressed once.
type bundle struct {
	hash  string
	files map[string]asset
}

type asset struct {
	kind         string
	plain, small []byte
}

// load is a constant in all but name: what is embedded never changes.
var load = sync.OnceValue(newBundle) //nolint:gochecknoglobals // read once, never changed

// URL is the path of an embedded file, for example
// URL("css/app.css") = "/static/0123456789ab/css/app.css". One hash covers all
// files, so that modules can import each other by relative paths.
func URL(name string) string { return "/static/" + load().hash + "/" + name }

// Handler answers the paths that URL gives (without any prefix); others are 404.
func Handler() http.Handler { return load() }

// Size is the number of bytes, compressed, of the files whose names end so.
func Size(suffix string) int {
	n := 0
	for name, f := range load().files {
		if strings.HasSuffix(name, suffix) {
			n += len(f.small)
		}
	}
	return n
}

func newBundle() *bundle {
	b := &bundle{files: map[string]asset{}}
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		plain, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		_, _ = sum.Write(append([]byte(name+"\x00"), plain...))
		small, err := compress(plain)
		b.files[name] = asset{kind: contentType(name), plain: plain, small: small}
		return err
	})
	if err != nil {
		panic("static: embedded files are unreadable: " + err.Error())
	}
	b.hash = hex.EncodeToString(sum.Sum(nil))[:12]
	return b
}

func (b *bundle) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, found := strings.CutPrefix(r.URL.Path, "/static/"+b.hash+"/")
	f, known := b.files[name]
	if !found || !known {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	body := f.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.small
	}
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

func compress(plain []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(plain); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func contentType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return mime.TypeByExtension(path.Ext(name))
}

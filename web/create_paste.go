package web

import (
	"crypto/rand"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// pasteForm is the page that a manifest is pasted into.
func (s *Server) pasteForm(c echo.Context, r *request) error {
	namespaces, err := s.Fleet.CreatableIn(r.ctx, r.user)
	if err != nil {
		return err
	}
	if len(namespaces) == 0 {
		return noNamespace()
	}
	return s.showPaste(c, r, views.PasteInput{}, http.StatusOK)
}

// paste fills the form of a new cluster in from a manifest. What can't be read
// stays in the page, with the reason.
func (s *Server) paste(c echo.Context, r *request) error {
	values, err := form(c)
	if err != nil {
		return err
	}
	in := views.PasteInput{Text: values.Get(topology.InputManifest)}
	manifest, faults := topology.ParseManifest(in.Text)
	if in.Faults = faults; len(faults) > 0 {
		return s.showPaste(c, r, in, http.StatusUnprocessableEntity)
	}
	class, fault, err := s.pastedClass(r, manifest)
	if err != nil {
		return err
	}
	if fault != nil {
		in.Faults = []fail.Fault{*fault}
		return s.showPaste(c, r, in, http.StatusUnprocessableEntity)
	}
	w, err := s.newCreation(r, class)
	if err != nil {
		return err
	}
	w.fill(manifest)
	w.judge(s, r, doPreview)
	if w.askable() {
		w.dryRun(s, c, r)
	}
	w.in.Summary = len(w.in.Faults) > 0 || w.in.Failure != nil
	return s.showCreate(c, r, w, http.StatusOK)
}

// fill makes the form of the manifest. Unlike a clone it keeps its name.
func (w *creation) fill(m topology.Manifest) {
	w.form = topology.CreateFormOf(m.Cluster, w.class, rand.Text())
	w.form.Name, w.form.From = m.Cluster.Name, topology.FromManifest
	if w.form.Namespace == "" {
		w.form.Namespace = w.limits.Namespaces[0]
	}
	w.form.Older = m.Older
}

// pastedClass is the class that the manifest is of. Where it names no namespace,
// the one class of that name is meant.
func (s *Server) pastedClass(r *request, m topology.Manifest) (topology.Ref, *fail.Fault, error) {
	ref := m.Class
	if ref.Namespace == "" {
		classes, err := s.Fleet.Classes(r.ctx, r.user)
		if err != nil {
			return ref, nil, err
		}
		n := 0
		for _, c := range classes {
			if c.Name == ref.Name {
				n, ref.Namespace = n+1, c.Namespace
			}
		}
		if n > 1 {
			return ref, pasteFault("create.paste.class-many", message.Str("class", ref.Name)), nil
		}
	}
	_, err := s.Fleet.Class(r.ctx, r.user, ref)
	if ref.Namespace == "" || fail.CodeOf(err) == fail.NotFound {
		return ref, pasteFault("create.paste.class", message.Str("class", strings.TrimPrefix(m.Class.String(), "/"))), nil
	}
	return ref, nil, err
}

func pasteFault(key message.Key, args ...message.Arg) *fail.Fault {
	return &fail.Fault{Field: topology.InputManifest, Text: message.New(key, args...)}
}

func (s *Server) showPaste(c echo.Context, r *request, in views.PasteInput, status int) error {
	r.page.Section, r.page.Path = "clusters", "/create/manifest"
	return s.render(c, status, r, views.Paste(r.page, in))
}

package web

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// What the buttons of the form submit as "do", besides the actions on fields:
// the script asks for a check, which is quiet about what is still empty.
const (
	doCheck   = "check"
	doPreview = "preview"
	doCreate  = "create"
	doYAML    = "yaml"
	doClass   = "class"
)

// createChoice is the page on which one chooses the class of a new cluster.
func (s *Server) createChoice(r *request) (views.Screen, []topology.Topic, error) {
	r.page.Section = "clusters"
	topics := []topology.Topic{{}}
	classes, err := s.Fleet.Classes(r.ctx, r.user)
	if err != nil {
		return views.Screen{}, topics, err
	}
	namespaces, err := s.Fleet.CreatableIn(r.ctx, r.user)
	if err != nil {
		return views.Screen{}, topics, err
	}
	input := views.ChoiceInput{Classes: classes, MayCreate: len(namespaces) > 0, From: r.query.Get("from"), Contact: s.Contact}
	return views.CreateChoice(r.page, input), topics, nil
}

// createForm shows the form: empty, or filled in from an existing cluster.
func (s *Server) createForm(c echo.Context, r *request) error {
	ref, err := r.ref()
	if err != nil {
		return err
	}
	w, err := s.newCreation(r, ref)
	if err != nil {
		return err
	}
	w.form = topology.NewCreateForm(w.class, rand.Text(), w.firstNamespace(r.query.Get("namespace")))
	if from := r.query.Get("from"); from != "" {
		if err := w.cloneFrom(s, r, from); err != nil {
			return err
		}
	}
	w.judge(s, r, "")
	w.in.Faults, w.in.Hidden = nil, len(w.faults)
	return s.showCreate(c, r, w, http.StatusOK)
}

// create answers every button of the form.
func (s *Server) create(c echo.Context, r *request) error {
	ref, err := r.ref()
	if err != nil {
		return err
	}
	w, err := s.newCreation(r, ref)
	if err != nil {
		return err
	}
	values, err := form(c)
	if err != nil {
		return err
	}
	w.form = topology.ParseCreateForm(w.class, values)
	w.in.Changed = w.form.Generation != w.class.Generation
	w.form.Generation = w.class.Generation
	do := values.Get("do")
	switch do {
	case doYAML:
		return s.downloadYAML(c, r, w)
	case doClass:
		return s.changeClass(c, r, w, values.Get("class"))
	case doCheck, doPreview, doCreate:
	default:
		return s.editForm(c, r, w, values, do)
	}
	w.judge(s, r, do)
	if do == doCreate && len(w.faults) == 0 && !w.in.Changed {
		return s.createNow(c, r, w)
	}
	if len(w.faults) == 0 || do != doCheck && w.askable() {
		w.dryRun(s, c, r)
	}
	status := http.StatusOK
	switch {
	case do == doCheck:
		w.quiet(values)
	case len(w.in.Faults) > 0 || w.in.Failure != nil:
		w.in.Summary, status = true, http.StatusUnprocessableEntity
	}
	if do == doCreate && w.in.Changed {
		status = http.StatusConflict
	}
	return s.showCreate(c, r, w, status)
}

// editForm carries out a button that changes the form itself.
func (s *Server) editForm(c echo.Context, r *request, w *creation, values url.Values, do string) error {
	next, focus, fault, err := w.form.Do(w.class, do)
	if err != nil {
		return badForm()
	}
	w.form, w.in.Focus = next, focus
	w.judge(s, r, "")
	w.quiet(values)
	said := func(f fail.Fault) bool { return fault.Field != "" && f.Field == fault.Field }
	if fault != nil && !slices.ContainsFunc(w.in.Faults, said) {
		w.in.Faults = append(w.in.Faults, *fault)
	}
	return s.showCreate(c, r, w, http.StatusOK)
}

// createNow creates the cluster and leads to its page.
func (s *Server) createNow(c echo.Context, r *request, w *creation) error {
	created, err := s.Fleet.Create(r.ctx, r.user, w.plan, false)
	if err != nil {
		if err := w.refused(s, c, r, err); err != nil {
			return err
		}
		w.in.Summary = true
		return s.showCreate(c, r, w, statusOf(w.in.Failure.Code))
	}
	return c.Redirect(http.StatusSeeOther, s.afterWrite(created.Ref, topology.Written{ResourceVersion: created.ResourceVersion, Already: created.Already}))
}

// refused puts a refusal into the form. What has no words for people is given
// back, for the error page.
func (w *creation) refused(s *Server, c echo.Context, r *request, err error) error {
	var failure *fail.Error
	if !errors.As(err, &failure) || failure.Code == fail.Internal {
		return err
	}
	s.logFailure(c, r, err, statusOf(failure.Code))
	shown := *failure
	shown.Cause = nil
	found := w.form.Explain(err)
	if len(found) == 0 {
		found = failure.Faults
	}
	w.add(found)
	if len(w.faults) == 0 || failure.Code != fail.Invalid { // else the refusal is no news
		w.in.Failure = &shown
	}
	w.in.Preview = w.form.Preview(w.class, s.checkers.of(w.class), w.plan)
	return nil
}

// add puts admission's faults beside the form's own. Where an input has one
// already, admission only says the same in other words.
func (w *creation) add(found []fail.Fault) {
	for _, f := range found {
		same := func(own fail.Fault) bool { return own.Field == f.Field && f.Field != "" }
		if !slices.ContainsFunc(w.faults, same) {
			w.in.Faults = append(w.in.Faults, f)
		}
	}
}

// changeClass carries what was typed over to another class.
func (s *Server) changeClass(c echo.Context, r *request, w *creation, class string) error {
	namespace, name, _ := strings.Cut(class, "/")
	other, err := s.Fleet.Class(r.ctx, r.user, topology.Ref{Namespace: namespace, Name: name})
	if fail.CodeOf(err) == fail.NotFound {
		return s.noSuchClass(c, r, w, class)
	}
	if err != nil {
		return err
	}
	w.class, w.in.Blueprint, w.in.Changed = other, other, false
	w.form = w.form.Rebase(other)
	w.judge(s, r, "")
	w.in.Faults, w.in.Hidden = nil, len(w.faults)
	return s.showCreate(c, r, w, http.StatusOK)
}

// noSuchClass says that the class to change to is gone, and keeps what was typed.
func (s *Server) noSuchClass(c echo.Context, r *request, w *creation, class string) error {
	w.judge(s, r, "")
	old := topology.Ref{Namespace: w.class.Namespace, Name: w.class.Name}
	text := message.New("create.fault.class-gone", message.Str("class", class), message.Str("old", old.String()))
	w.in.Hidden, w.in.Summary = len(w.faults), true
	w.in.Faults = []fail.Fault{{Field: "class", Text: text}}
	return s.showCreate(c, r, w, http.StatusNotFound)
}

// downloadYAML answers with the manifest, for those who go through Git.
func (s *Server) downloadYAML(c echo.Context, r *request, w *creation) error {
	w.judge(s, r, "")
	name := w.form.Name
	if !validName(name) {
		name = "cluster"
	}
	c.Response().Header().Set("Content-Disposition", `attachment; filename="`+name+`.yaml"`)
	return c.Blob(http.StatusOK, "text/yaml; charset=utf-8", []byte(w.in.Preview.Sent))
}

// showCreate answers with the page, or with the form alone where a script asks.
func (s *Server) showCreate(c echo.Context, r *request, w *creation, status int) error {
	r.page.Section = "clusters"
	r.page.Path = strings.TrimPrefix(s.urls.CreateFrom(topology.Ref{Namespace: w.class.Namespace, Name: w.class.Name}), s.urls.Prefix)
	if w.form.From != "" && w.form.From != topology.FromManifest {
		r.page.Path += "?" + url.Values{"from": {w.form.From}}.Encode()
	}
	w.in.Form, w.in.Typed = w.form, !safe(c.Request())
	if c.Request().Header.Get(fragmentHeader) == "create" {
		return s.write(c, status, views.CreateFragment(r.page, w.in))
	}
	return s.render(c, status, r, views.Create(r.page, w.in))
}

// noNamespace is said to whoever may create nowhere.
func noNamespace() *fail.Error {
	return fail.New(fail.Forbidden, message.New("create.nowhere"))
}

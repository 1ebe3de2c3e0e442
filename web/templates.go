package web

import (
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// Templates are in no cache of the fleet: each read is a request as the person.
// An open page of a class, which is rebuilt with every change of any cluster,
// therefore reads them anew only so often.
const (
	templatesKept = 10 * time.Second
	templatesOnce = 8 // requests at a time
)

type templates struct {
	mu   sync.Mutex
	kept map[templateKey]keptTemplate
}

type templateKey struct {
	user     auth.UserKey
	revision string // of the class
	target   catalog.Target
}

type keptTemplate struct {
	at   time.Time
	text string
	err  error
}

func newTemplates() *templates { return &templates{kept: map[templateKey]keptTemplate{}} }

// fresh gives what was read not long ago.
func (t *templates) fresh(key templateKey, now time.Time) (keptTemplate, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept, ok := t.kept[key]
	return kept, ok && now.Sub(kept.at) < templatesKept
}

func (t *templates) keep(key templateKey, read keptTemplate) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for other, kept := range t.kept {
		if read.at.Sub(kept.at) >= templatesKept {
			delete(t.kept, other)
		}
	}
	t.kept[key] = read
}

// readTemplate reads one template of a class as the person.
func (s *Server) readTemplate(r *request, class topology.Ref, b catalog.Blueprint, t catalog.Target) (string, error) {
	key := templateKey{r.user.Key(), b.Revision, t}
	if kept, ok := s.templates.fresh(key, s.Now()); ok && r.live {
		return kept.text, kept.err
	}
	text, err := s.Fleet.Template(r.ctx, r.user, class, t)
	if fail.CodeOf(err) == fail.NotFound && !knows(err, "class.template.kind") {
		err = fail.Wrap(err, fail.NotFound, message.New("class.template.missing"))
	}
	s.templates.keep(key, keptTemplate{s.Now(), text, err})
	return text, err
}

func knows(err error, key message.Key) bool {
	var known *fail.Error
	return errors.As(err, &known) && known.Text.Key == key
}

// template reads the template that the address unfolds, only if the class refers
// to it; nil when none is unfolded.
func (s *Server) template(r *request, class topology.Ref, b catalog.Blueprint) *views.ClassTemplate {
	t, ok := b.Composition.Template(r.query.Get(views.QueryKind), r.query.Get(views.QueryTemplate))
	if !ok {
		return nil
	}
	shown := &views.ClassTemplate{Kind: t.Kind, Name: t.Name}
	var err error
	if shown.YAML, err = s.readTemplate(r, class, b, t); err == nil {
		return shown
	}
	shown.Failure = fail.New(fail.Internal, message.New("class.template.failed"))
	var known *fail.Error
	if errors.As(err, &known) && known.Code != fail.Internal {
		shown.Failure = known
	}
	return shown
}

// missing looks which templates are not there, where the class says that
// something is wrong with one of them, and words each. Of what the person may
// not read nothing is said.
func (s *Server) missing(r *request, class topology.Ref, b catalog.Blueprint) ([]catalog.Target, []views.ClassTemplate) {
	if !b.Unresolved {
		return nil, nil
	}
	all := b.Composition.Templates()
	found := make([]error, len(all))
	var reads errgroup.Group
	reads.SetLimit(templatesOnce)
	for i, t := range all {
		reads.Go(func() error {
			_, found[i] = s.readTemplate(r, class, b, t)
			return nil
		})
	}
	_ = reads.Wait() // none fails
	var missing []catalog.Target
	var shown []views.ClassTemplate
	known := map[[2]string]bool{}
	for i, t := range all {
		var absent *fail.Error
		name := [2]string{t.Kind, t.Name}
		if known[name] || !errors.As(found[i], &absent) || absent.Code != fail.NotFound {
			continue
		}
		known[name] = true
		missing = append(missing, t)
		shown = append(shown, views.ClassTemplate{Kind: t.Kind, Name: t.Name, Failure: absent})
	}
	return missing, shown
}

package web

import (
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// creation is one request about the form of a new cluster.
type creation struct {
	class  catalog.Blueprint
	form   topology.CreateForm
	limits topology.CreateLimits
	rows   []topology.Summary // clusters that the person may read
	plan   topology.Plan
	faults []fail.Fault
	in     views.CreateInput
}

// newCreation reads the class and what the form's choices are made of.
func (s *Server) newCreation(r *request, ref topology.Ref) (*creation, error) {
	var err error
	w := &creation{limits: topology.CreateLimits{Max: s.MaxReplicas}}
	if w.class, err = s.Fleet.Class(r.ctx, r.user, ref); err != nil {
		return nil, err
	}
	if w.limits.Namespaces, err = s.Fleet.CreatableIn(r.ctx, r.user); err != nil {
		return nil, err
	}
	if len(w.limits.Namespaces) == 0 {
		return nil, noNamespace()
	}
	if w.rows, err = s.Fleet.Clusters(r.ctx, r.user); err != nil {
		return nil, err
	}
	w.in = views.CreateInput{Max: s.MaxReplicas, Blueprint: w.class, Namespaces: w.limits.Namespaces, Versions: topology.VersionsInUse(w.rows)}
	w.in.Classes, err = s.Fleet.Classes(r.ctx, r.user)
	return w, err
}

// firstNamespace is the one that was asked for, if it may be, else the first.
func (w *creation) firstNamespace(wanted string) string {
	if slices.Contains(w.limits.Namespaces, wanted) {
		return wanted
	}
	return w.limits.Namespaces[0]
}

// cloneFrom fills the form in from a cluster, whatever its class.
func (w *creation) cloneFrom(s *Server, r *request, from string) error {
	namespace, name, _ := strings.Cut(from, "/")
	if !validName(namespace) || !validName(name) {
		return notFound()
	}
	specimen, err := s.Fleet.Specimen(r.ctx, r.user, topology.Ref{Namespace: namespace, Name: name})
	if err != nil {
		return err
	}
	if bad := topology.Clonable(specimen); bad != nil {
		return bad
	}
	w.form = topology.CreateFormOf(specimen, w.class, w.form.ID)
	w.form.Namespace = w.firstNamespace(w.form.Namespace)
	return nil
}

// judge reads the form, checks it in process and makes the preview. Whether a
// name is taken is not asked when the cluster shall be created: only the
// management cluster knows whether this very form did it already.
func (w *creation) judge(s *Server, r *request, do string) {
	for _, c := range w.rows {
		if do != doCreate && c.Namespace == w.form.Namespace {
			w.limits.Taken = append(w.limits.Taken, c.Name)
		}
	}
	checker := s.checkers.of(w.class)
	w.limits.Creating = do == doCreate
	w.plan, w.faults = w.form.Plan(w.class, w.limits)
	w.faults = append(w.faults, w.form.Check(r.ctx, checker)...)
	w.in.Faults, w.in.Hidden = w.faults, 0
	w.in.Preview = w.form.Preview(w.class, checker, w.plan)
}

// askable: admission can be asked about a Cluster with faults, so that all of
// them are found at once; but not about one without a name or a place.
func (w *creation) askable() bool {
	return !slices.ContainsFunc(w.faults, func(f fail.Fault) bool {
		return f.Field == topology.InputName || f.Field == topology.InputNamespace
	})
}

// dryRun asks admission what it would say.
func (w *creation) dryRun(s *Server, c echo.Context, r *request) {
	created, err := s.Fleet.Create(r.ctx, r.user, w.plan, true)
	if err == nil {
		w.in.Accepted, w.in.Checked, w.in.Warnings = len(w.faults) == 0, s.Now(), created.Warnings
		if w.in.Accepted && created.Object != nil {
			w.in.Preview.Lines = topology.Admitted(w.plan, created.Object)
		}
		return
	}
	if w.refused(s, c, r, err) != nil {
		s.Log.Warn("dry run of a new cluster failed", "user", r.user.Name, "request", requestID(c), "error", err)
	}
}

// quiet hides the faults of inputs that are still empty: nobody has been there.
func (w *creation) quiet(values url.Values) {
	all := w.in.Faults
	w.in.Faults = nil
	for _, f := range all {
		if strings.TrimSpace(values.Get(f.Field)) != "" {
			w.in.Faults = append(w.in.Faults, f)
		}
	}
	w.in.Hidden = len(all) - len(w.in.Faults)
}

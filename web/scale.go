package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// fragmentHeader asks for one region of the answer instead of the whole page.
const fragmentHeader = "X-Capstan-Fragment"

// scale previews or applies a new number of machines. Whatever is in the way is
// shown on the cluster's page, where what was typed stays.
func (s *Server) scale(c echo.Context, r *request) error {
	r.page.Section = "clusters"
	ref, err := r.ref()
	if err != nil {
		return err
	}
	values, err := form(c)
	if err != nil {
		return err
	}
	f, err := parseScale(topology.PoolKind(r.param("kind")), r.param("pool"), values)
	if err != nil {
		return err
	}
	// The address that the answer stands for: reload, language switch and the
	// page's socket go there.
	r.page.Path = strings.TrimPrefix(s.urls.Cluster(ref), s.urls.Prefix) + "?" + f.query()
	cluster, err := s.Fleet.Cluster(r.ctx, r.user, ref)
	if err != nil {
		return err
	}
	draft := s.draft(cluster, f)
	if draft.Failure == nil && f.apply && !f.confirmed(draft.Preview.Confirm) {
		draft.Confirm = true
		draft.Failure = unconfirmed(draft)
	}
	if draft.Failure != nil {
		return s.showDraft(c, r, cluster, draft)
	}
	return s.writeWish(c, r, cluster, draft, f)
}

// writeWish asks admission or applies, and shows whatever comes of it.
func (s *Server) writeWish(c echo.Context, r *request, cluster topology.Cluster, draft *views.Draft, f scaleForm) error {
	wish := f.wish(cluster.Ref, *draft.Preview)
	written, err := s.Fleet.Scale(r.ctx, r.user, wish, !f.apply)
	draft.Owner = written.Owner
	if len(written.Patch) > 0 {
		draft.Handover = topology.NewHandover(wish, cluster.Topology, written.Patch)
	}
	if err != nil {
		return s.scaleFailed(c, r, cluster, draft, wish, err)
	}
	if f.apply {
		return c.Redirect(http.StatusSeeOther, s.afterWrite(cluster.Ref, written))
	}
	draft.Accepted, draft.Checked, draft.Warnings = true, s.Now(), written.Warnings
	return s.showDraft(c, r, cluster, draft)
}

func unconfirmed(d *views.Draft) *fail.Error {
	if d.Preview.Confirm == topology.ConfirmZero {
		return fail.New(fail.Invalid, message.New("web.scale.confirm-zero", message.Str("pool", d.Pool)))
	}
	return fail.New(fail.Invalid, message.New("web.scale.confirm"))
}

// afterWrite is the cluster's page, told what to wait for.
func (s *Server) afterWrite(ref topology.Ref, written topology.Written) string {
	target := s.urls.Cluster(ref)
	if written.Already || written.ResourceVersion == "" {
		return target
	}
	return target + "?" + url.Values{"written": {written.ResourceVersion}}.Encode()
}

// draft judges what was typed without asking anybody; it has a Preview as long
// as its numbers can be taken.
func (s *Server) draft(cluster topology.Cluster, f scaleForm) *views.Draft {
	d := &views.Draft{Pool: f.pool, Kind: f.kind, Typed: f.typed, Switch: f.change, Min: f.min, Max: f.max}
	p, found := poolOf(cluster, f.kind, f.pool)
	if !found {
		d.Failure = fail.New(fail.Conflict, message.New("web.scale.gone", message.Str("pool", f.pool)))
		return d
	}
	if f.change == topology.ModeAutoscaled {
		bounds, bad := topology.ParseRange(f.min, f.max, s.MaxReplicas)
		if d.Failure = bad; bad == nil {
			preview := topology.NewSwitch(cluster, p, bounds)
			d.Preview = &preview
		}
		return d
	}
	number, bad := topology.ParseReplicas(d.Typed, f.kind, cluster.CPKind, s.MaxReplicas)
	switch {
	case bad != nil:
		d.Failure = bad
	case f.change == topology.ModeFixed:
		s.freeze(d, cluster, p, number, f)
	case !p.Locked.IsZero():
		d.Failure = fail.New(fail.Invalid, p.Locked)
	default:
		preview := topology.NewPreview(cluster, p, number)
		d.Preview = &preview
	}
	return d
}

// freeze is a draft that fixes a number: the autoscaler may have set another one
// since the person looked.
func (s *Server) freeze(d *views.Draft, cluster topology.Cluster, p topology.Pool, number int, f scaleForm) {
	seen := number
	if f.live != nil {
		seen = *f.live
	}
	if live := p.Counts.Desired; p.Freeze && live != seen {
		d.Failure = fail.New(fail.Conflict, message.New("web.scale.moved", message.Num("seen", seen), message.Num("now", live)))
		return
	}
	preview := topology.NewFreeze(cluster, p, number)
	d.Preview = &preview
}

func poolOf(cluster topology.Cluster, kind topology.PoolKind, name string) (topology.Pool, bool) {
	if kind == topology.PoolControlPlane {
		return cluster.CP, true
	}
	for _, p := range cluster.Pools {
		if p.Kind == kind && p.Name == name {
			return p, true
		}
	}
	return topology.Pool{}, false
}

// scaleFailed puts a refusal or a conflict beside what was typed. What is no
// failure with words goes to the error page.
func (s *Server) scaleFailed(c echo.Context, r *request, cluster topology.Cluster, d *views.Draft, w topology.Wish, err error) error {
	var failure *fail.Error
	if !errors.As(err, &failure) || failure.Code == fail.NotFound || failure.Code == fail.Internal {
		return err
	}
	s.logFailure(c, r, err, statusOf(failure.Code))
	shown := *failure
	shown.Cause = nil
	d.Failure = &shown
	d.Unasked = failure.Text.Key == "scale.held"
	if failure.Code == fail.Conflict {
		if err := s.conflict(r, d, w); err != nil {
			return err
		}
	}
	// Who changed it meanwhile has changed the page, too.
	if now, err := s.Fleet.Cluster(r.ctx, r.user, w.Ref); err == nil {
		cluster = now
	}
	return s.showDraft(c, r, cluster, d)
}

// conflict asks what stands there now and who set it. A pool that has gone and
// a cluster recreated under its name are no two wishes to choose from.
func (s *Server) conflict(r *request, d *views.Draft, w topology.Wish) error {
	owner, err := s.Fleet.Fresh(r.ctx, r.user, w)
	if err != nil {
		return err
	}
	if !owner.Missing && owner.UID == w.UID {
		d.Conflict = &views.Conflict{Seen: w.Seen, Now: owner.Now, NowRange: owner.Range, Typed: w.Replicas,
			Switch: w.Switch, Range: w.Range, Who: owner.Who, At: owner.At}
	}
	return nil
}

// showDraft answers with the cluster's page around the draft, or with the
// draft's panel alone where a script asks for it.
func (s *Server) showDraft(c echo.Context, r *request, cluster topology.Cluster, d *views.Draft) error {
	status := http.StatusOK
	if d.Failure != nil {
		status = statusOf(d.Failure.Code)
	}
	input := views.ClusterInput{Cluster: cluster, Draft: d}
	if c.Request().Header.Get(fragmentHeader) == "pending" {
		return s.write(c, status, views.Pending(r.page, input))
	}
	return s.render(c, status, r, views.Cluster(r.page, input))
}

// scaleAgain is for somebody who loads the address of a form's answer anew.
func (s *Server) scaleAgain(c echo.Context, r *request) error {
	ref, err := r.ref()
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, s.urls.Cluster(ref))
}

// draftPath is where somebody who lost their session while scaling comes back
// to: the page with what they typed; empty for other requests.
func (s *Server) draftPath(c echo.Context, r *request) string {
	ref, err := r.ref()
	if err != nil || safe(c.Request()) || r.param("pool") == "" {
		return ""
	}
	values, err := form(c)
	if err != nil {
		return ""
	}
	path := strings.TrimPrefix(s.urls.Cluster(ref), s.urls.Prefix)
	f, err := parseScale(topology.PoolKind(r.param("kind")), r.param("pool"), values)
	if err != nil {
		return ""
	}
	return path + "?" + f.query()
}

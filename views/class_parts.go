package views

import (
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// classParts is what a class builds: one row for each template, and the worker
// classes with their defaults.
type classParts struct {
	Page
	Rows    []partRow
	Workers []workerView
	Gates   string
}

type partRow struct {
	Page
	Part, Kind, Name, APIVersion string
	ID                           string
	URL                          templ.SafeURL // folds or unfolds its YAML
	Open                         bool
	Missing                      string // said where it is known not to exist
	YAML, Failure                string
}

type workerView struct {
	Class, Kind string
	Templates   []partRow
	Facts       []factView
}

func newClassParts(p Page, in ClassInput) classParts {
	c := in.Blueprint.Composition
	v := classParts{Page: p, Gates: strings.Join(c.AvailabilityGates, ", ")}
	v.Rows = append(partRows(p, in, c.Infrastructure.Templates), partRows(p, in, c.ControlPlane.Templates)...)
	if facts := partFacts(p, c.ControlPlane, catalog.Rollout{}, nil); len(facts) > 0 {
		v.Workers = append(v.Workers, workerView{Class: p.t("views.clusters.cp"), Facts: facts})
	}
	for _, w := range c.Workers {
		v.Workers = append(v.Workers, workerView{
			Class: w.Class, Kind: string(w.Kind), Templates: partRows(p, in, w.Templates),
			Facts: partFacts(p, w.Part, w.Rollout, w.FailureDomains),
		})
	}
	return v
}

func partRows(p Page, in ClassInput, targets []catalog.Target) []partRow {
	var rows []partRow
	page := p.URLs.Class(topology.Ref{Namespace: in.Blueprint.Namespace, Name: in.Blueprint.Name})
	for _, t := range targets {
		row := partRow{
			Page: p, Part: roleName(p, t.Role), Kind: t.Kind, Name: t.Name, APIVersion: t.APIVersion,
			ID: strings.Join([]string{"template", string(t.Role), string(t.Worker), t.Class}, "-"),
		}
		for _, m := range in.Missing {
			if m.Kind == t.Kind && m.Name == t.Name && m.Failure != nil {
				row.Missing = p.Say.Say(m.Failure.Text)
			}
		}
		query := url.Values{QueryKind: {t.Kind}, QueryTemplate: {t.Name}}
		if shown := in.Template; shown != nil && shown.Kind == t.Kind && shown.Name == t.Name {
			row.Open, row.YAML, query = true, shown.YAML, nil
			if shown.Failure != nil {
				row.Failure = p.Say.Say(shown.Failure.Text)
			}
		}
		row.URL = templ.SafeURL(page + queryText(query) + "#" + row.ID)
		rows = append(rows, row)
	}
	return rows
}

func queryText(query url.Values) string {
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}

func roleName(p Page, role catalog.Role) string {
	switch role {
	case catalog.RoleInfrastructure:
		return p.t("class.role.infrastructure")
	case catalog.RoleControlPlane:
		return p.t("class.role.control-plane")
	case catalog.RoleControlPlaneMachine:
		return p.t("class.role.control-plane-machine")
	case catalog.RoleBootstrap:
		return p.t("class.role.bootstrap")
	}
	return p.t("class.role.worker-machine")
}

// partFacts are the class's defaults for one part; what it leaves open is not
// listed.
func partFacts(p Page, part catalog.Part, rollout catalog.Rollout, domains []string) []factView {
	var facts []factView
	fact := func(key message.Key, value string, code bool) {
		if value != "" {
			facts = append(facts, factView{p.t(key), value, code})
		}
	}
	fact("class.part.health", healthText(p, part.HealthCheck), false)
	fact("class.part.rollout", rolloutText(p, rollout), false)
	fact("class.part.deletion", deletionText(p, part.Deletion), false)
	fact("class.part.domains", strings.Join(domains, ", "), false)
	fact("class.part.taints", strings.Join(part.Taints, ", "), true)
	fact("class.part.labels", pairs(part.Labels), true)
	fact("class.part.annotations", pairs(part.Annotations), true)
	fact("class.part.naming", part.Naming, true)
	fact("class.part.gates", strings.Join(part.ReadinessGates, ", "), true)
	if part.MinReady > 0 {
		fact("class.part.minready", part.MinReady.String(), false)
	}
	return facts
}

func healthText(p Page, h *catalog.HealthCheck) string {
	if h == nil {
		return ""
	}
	var parts []string
	for _, u := range h.Unhealthy {
		parts = append(parts, p.t("class.health.after", message.Str("what", u.Of+" "+u.Type+"="+u.Status), message.Str("time", short(u.After))))
	}
	if h.NodeStartup != nil {
		parts = append(parts, p.t("class.health.startup", message.Str("time", short(*h.NodeStartup))))
	}
	if h.MaxInFlight != "" {
		parts = append(parts, p.t("class.health.inflight", message.Str("n", h.MaxInFlight)))
	}
	if h.OnlyIfAtMost != "" {
		parts = append(parts, p.t("class.health.atmost", message.Str("n", h.OnlyIfAtMost)))
	}
	if h.OnlyIfInRange != "" {
		parts = append(parts, p.t("class.health.range", message.Str("n", h.OnlyIfInRange)))
	}
	if h.Remediation != "" {
		parts = append(parts, h.Remediation)
	}
	if len(parts) == 0 {
		return p.t("class.health.on")
	}
	return strings.Join(parts, " · ")
}

func rolloutText(p Page, r catalog.Rollout) string {
	var parts []string
	if r.Type != "" {
		parts = append(parts, r.Type)
	}
	if r.MaxSurge != "" {
		parts = append(parts, p.t("class.rollout.surge", message.Str("n", r.MaxSurge)))
	}
	if r.MaxUnavailable != "" {
		parts = append(parts, p.t("class.rollout.missing", message.Str("n", r.MaxUnavailable)))
	}
	return strings.Join(parts, " · ")
}

func deletionText(p Page, d catalog.Deletion) string {
	var parts []string
	if d.Order != "" {
		parts = append(parts, d.Order)
	}
	add := func(key message.Key, t *time.Duration) {
		if t != nil {
			parts = append(parts, p.t(key, message.Str("time", short(*t))))
		}
	}
	add("class.deletion.drain", d.Drain)
	add("class.deletion.detach", d.VolumeDetach)
	add("class.deletion.node", d.NodeDelete)
	return strings.Join(parts, " · ")
}

// short writes 5m0s as 5m.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func pairs(m map[string]string) string {
	var out []string
	for _, key := range sortedNames(m) {
		out = append(out, key+"="+m[key])
	}
	return strings.Join(out, ", ")
}

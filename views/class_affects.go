package views

import (
	"slices"
	"sort"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/message"
)

// affects says which parts of a cluster a variable changes, and by which
// patches.
func affects(p Page, b catalog.Blueprint, variable string) ([]affectView, []string) {
	var out []affectView
	add := func(what string, answer catalog.Answer) {
		switch answer {
		case catalog.Yes:
			out = append(out, affectView{"ok", "text-ok", p.t("class.affects.yes", message.Str("what", what))})
		case catalog.CannotTell:
			out = append(out, affectView{"unk", "text-ink-3", p.t("class.affects.maybe", message.Str("what", what))})
		default:
			out = append(out, affectView{"minus", "text-ink-3", p.t("class.affects.no", message.Str("what", what))})
		}
	}
	e := b.Effects
	add(p.t("class.role.infrastructure"), e.Affects(variable, func(t catalog.Target) bool { return t.Role == catalog.RoleInfrastructure }))
	add(p.t("views.clusters.cp"), e.AffectsControlPlane(variable))
	for _, w := range b.Composition.Workers {
		add(w.Class, e.AffectsPool(variable, w.Class, w.Kind))
	}
	var uses []string
	for _, u := range e.Uses(variable) {
		uses = append(uses, useText(p, u))
	}
	return out, uses
}

func useText(p Page, u catalog.Use) string {
	var templates []string
	for _, t := range u.Targets {
		if name := t.Kind + " " + t.Name; !slices.Contains(templates, name) {
			templates = append(templates, name)
		}
	}
	patch, path := message.Str("patch", u.Patch), message.Str("path", u.Path)
	on := message.Str("templates", strings.Join(templates, ", "))
	switch u.How {
	case catalog.UseEnabledIf:
		return p.t("class.use.enabled", patch, path, on)
	case catalog.UseTemplate:
		return p.t("class.use.template", patch, path, on, message.Str("at", u.At))
	}
	return p.t("class.use.value", patch, path, on, message.Str("at", u.At))
}

// sortedNames are the keys of a map in order.
func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

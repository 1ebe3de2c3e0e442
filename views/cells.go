package views

import (
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/topology"
)

// cellsView is every machine as one cell, pool by pool, and the legend.
type cellsView struct {
	Page
	Groups []cellGroup
	Legend []legendItem
}

type cellGroup struct {
	Name, Count string
	Cells       []cellView
}

type cellView struct{ Phase, Href, Label string }

type legendItem struct {
	Phase, Text string
	Zero        bool
}

// phases are CAPI's machine phases in the order of the legend.
func phases() []string {
	return []string{"Running", "Provisioned", "Provisioning", "Pending", "Deleting", "Failed", "Unknown"}
}

// phaseIcon is the symbol of a phase; what isn't known looks unknown.
func phaseIcon(phase string) string {
	for _, known := range phases() {
		if phase == known {
			return strings.ToLower(phase)
		}
	}
	return "unknown"
}

// phase names a phase.
func (p Page) phase(phase string) string {
	switch phase {
	case "Running":
		return p.t("views.phase.running")
	case "Provisioned":
		return p.t("views.phase.provisioned")
	case "Provisioning":
		return p.t("views.phase.provisioning")
	case "Pending":
		return p.t("views.phase.pending")
	case "Deleting":
		return p.t("views.phase.deleting")
	case "Failed":
		return p.t("views.phase.failed")
	}
	return p.t("views.phase.unknown")
}

func phasesOf(machines []topology.Machine) []string {
	var out []string
	for _, m := range machines {
		if m.ControlPlane {
			out = append(out, phaseIcon(m.Phase))
		}
	}
	return out
}

func newCells(p Page, c topology.Cluster, shown map[string]bool) cellsView {
	v := cellsView{Page: p}
	add := func(title string, mine func(topology.Machine) bool) {
		g := cellGroup{Name: title}
		for _, m := range c.Machines {
			if mine(m) {
				g.Cells = append(g.Cells, newCell(p, m, shown[m.UID]))
			}
		}
		g.Count = strconv.Itoa(len(g.Cells))
		v.Groups = append(v.Groups, g)
	}
	add(p.t("views.cp"), func(m topology.Machine) bool { return m.ControlPlane })
	pools := map[string]bool{}
	for _, pool := range c.Pools {
		pools[pool.Name] = true
		add(pool.Name, func(m topology.Machine) bool { return !m.ControlPlane && m.Pool == pool.Name })
	}
	stray := func(m topology.Machine) bool { return !m.ControlPlane && !pools[m.Pool] }
	for _, m := range c.Machines {
		if stray(m) {
			add(p.t("views.cells.stray"), stray)
			break
		}
	}
	v.Legend = newLegend(p, c.Machines)
	return v
}

func newCell(p Page, m topology.Machine, shown bool) cellView {
	cell := cellView{Phase: phaseIcon(m.Phase), Label: m.Name + ": " + p.phase(m.Phase)}
	if shown {
		cell.Href = "#row-" + m.UID
	}
	return cell
}

func newLegend(p Page, machines []topology.Machine) []legendItem {
	counts := map[string]int{}
	for _, m := range machines {
		counts[phaseIcon(m.Phase)]++
	}
	var legend []legendItem
	for _, phase := range phases() {
		key := strings.ToLower(phase)
		n := counts[key]
		if n == 0 && (phase == "Unknown" || phase == "Pending") {
			continue
		}
		legend = append(legend, legendItem{key, p.phase(phase) + " " + strconv.Itoa(n), n == 0})
	}
	return legend
}

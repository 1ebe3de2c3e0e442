package views

import (
	"net/url"
	"sort"
	"strings"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// machineLimit is how many machines the table shows unless all are asked for:
// enough for a person to read, few enough to render in milliseconds.
const machineLimit = 100

// machinesView is the machine table with its cells.
type machinesView struct {
	Page
	Denied bool
	Count  string
	Cells  cellsView
	Rows   []machineView
	Order  string
	More   string // "100 of 340, not ready first"
	All    templ.SafeURL
	Owned  string // who owns the MachineDeployments
}

type machineView struct {
	ID, Name, Pool      string
	Icon, Phase         string
	Reason              string     // the first line that says something
	Full                []listItem // all of it as CAPI's nested list, if there is more
	Text                string     // else as it stands
	Node, Version, Zone string
	ZoneLabel           string
	Age                 when
	Outdated            string
}

func newMachines(p Page, c topology.Cluster) machinesView {
	v := machinesView{Page: p, Denied: c.Denied[topology.KindMachine]}
	if c.Topology {
		v.Owned = p.t("views.machines.owned")
	}
	if v.Denied {
		return v
	}
	sorted := troubleFirst(c.Machines)
	if len(sorted) > machineLimit && !wantsAll(p.Path) {
		v.More = p.t("views.machines.more", message.Num("shown", machineLimit), message.Num("n", len(sorted)))
		v.All = templ.SafeURL(p.URLs.Cluster(c.Ref) + "?machines=all")
		sorted = sorted[:machineLimit]
	}
	shown := map[string]bool{}
	var ids []string
	for _, m := range sorted {
		row := newMachine(p, m)
		v.Rows = append(v.Rows, row)
		shown[m.UID] = true
		ids = append(ids, row.ID)
	}
	v.Count, v.Order = number(len(c.Machines)), strings.Join(ids, " ")
	v.Cells = newCells(p, c, shown)
	return v
}

func wantsAll(path string) bool {
	_, query, _ := strings.Cut(path, "?")
	values, err := url.ParseQuery(query)
	return err == nil && values.Get("machines") == "all"
}

// troubleFirst sorts by not ready, then by name; the domain's order is left alone.
func troubleFirst(machines []topology.Machine) []topology.Machine {
	sorted := append([]topology.Machine(nil), machines...)
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := sorted[i], sorted[j]
		if a.Ready != b.Ready {
			return !a.Ready
		}
		return a.Name < b.Name
	})
	return sorted
}

func newMachine(p Page, m topology.Machine) machineView {
	v := machineView{
		ID: "row-" + m.UID, Name: m.Name, Pool: m.Pool, Icon: phaseIcon(m.Phase), Phase: p.phase(m.Phase),
		Node: m.Node, Version: m.Version, Zone: m.Zone, ZoneLabel: p.t("views.col.zone"), Age: age(m.Created),
	}
	if m.ControlPlane {
		v.Pool = p.t("views.cp.small")
	}
	if m.Reason != "" && !m.Ready {
		v.reason(m.Reason)
	}
	if !m.UpToDate && m.Phase != "Deleting" {
		v.Outdated = p.t("views.machines.outdated")
	}
	return v
}

// reasonLimit is how much of a reason stands in the row itself.
const reasonLimit = 140

// reason puts the first line that says something into the row, and the rest
// behind it. CAPI nests lists whose heads ("* NodeHealthy:") only name a place.
func (v *machineView) reason(text string) {
	lines := reasonLines(text)
	if len(lines) == 0 {
		return
	}
	v.Reason = lines[0]
	for i, line := range lines {
		if !strings.HasSuffix(line, ":") {
			v.Reason = strings.Join(lines[:min(i+1, 2)], " ")
			if i > 1 {
				v.Reason = line
			}
			break
		}
	}
	whole := strings.Join(lines, " ") == v.Reason
	if runes := []rune(v.Reason); len(runes) > reasonLimit {
		v.Reason, whole = strings.TrimSpace(string(runes[:reasonLimit]))+"…", false
	}
	if whole {
		return
	}
	if items, ok := parseList(text); ok {
		v.Full = items
	} else {
		v.Text = text
	}
}

// reasonLines are the lines of CAPI's message without its list marks.
func reasonLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "* "))
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

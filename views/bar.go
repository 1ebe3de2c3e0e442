package views

import (
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/topology"
)

// barView is the slider in small: "12/15", a bar, and "+3" for what comes.
type barView struct {
	Known         bool
	Now, Of       string
	Complete      bool
	Ready         string // widths and places in percent
	StartX, Start string
	DelX, Del     string
	WishX         string // empty: no wish mark
	Rest          string // "+3 −1"
	Label         string
}

func newBar(p Page, c topology.Counts) barView {
	if c.Available < 0 {
		return barView{Label: p.t("views.unknown")}
	}
	total, gone := max(c.Total, c.Available), max(c.Deleting, 0)
	end := max(c.Desired, total+gone, 1)
	v := barView{Known: true, Now: number(c.Available), Of: number(c.Desired)}
	v.Ready = percent(c.Available, end)
	v.StartX, v.Start = v.Ready, percent(total-c.Available, end)
	v.DelX, v.Del = percent(total, end), percent(gone, end)
	v.Complete = c.Available == c.Desired && total == c.Desired && gone == 0
	if !v.Complete && c.Desired >= 0 {
		v.WishX = percent(c.Desired, end)
	}
	v.Rest = restOf(c, total, gone)
	v.Label = v.Now + "/" + v.Of
	return v
}

func restOf(c topology.Counts, total, gone int) string {
	var rest []string
	if c.Desired > c.Available {
		rest = append(rest, "+"+strconv.Itoa(c.Desired-c.Available))
	}
	surplus := gone
	if c.Desired >= 0 && total > c.Desired {
		surplus += total - c.Desired
	}
	if surplus > 0 {
		rest = append(rest, "−"+strconv.Itoa(surplus))
	}
	return strings.Join(rest, " ")
}

// percent is n of end as an SVG length, never outside 0–100 %.
func percent(n, end int) string {
	if end <= 0 || n <= 0 {
		return "0%"
	}
	if n >= end {
		return "100%"
	}
	s := strconv.FormatFloat(float64(n)*100/float64(end), 'f', 3, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".") + "%"
}

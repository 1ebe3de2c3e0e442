package views

import (
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// unitMarks is up to how many machines each one is drawn apart.
const unitMarks = 24

// gaugeView is the geometry of the slider's track, all in percent of its
// length: bed, ready, starting, deleting, marks, and where the wish stands.
type gaugeView struct {
	Max            int
	Ready          string
	StartX, Start  string
	DelX, Del      string
	Units          []string
	Ticks          []tickView
	Wish           markView // Text is empty when there is no wish
	BandX, Band    string   // the range of an autoscaler; empty without one
	BandMin        markView
	BandMax        markView
	Now            string // where the autoscaler's present wish stands
	Notch          string // where the written wish stands, shown while a draft is open
	HasStart, Gone bool
}

type tickView struct {
	X      string
	Length string // the lower end of the line
	Text   string // empty: a line only
	Near   bool   // so near to the wish that its number would overlap
}

type markView struct{ X, Text string }

func newGauge(pool topology.Pool, typed *int) gaugeView {
	c := pool.Counts
	total, ready, gone := max(c.Total, 0), max(c.Ready, 0), max(c.Deleting, 0)
	end := gaugeEnd(pool, total+gone)
	v := gaugeView{Max: end, Ready: percent(min(ready, total), end)}
	v.StartX, v.Start = v.Ready, span(min(ready, total), total, end)
	v.DelX, v.Del = percent(total, end), span(total, total+gone, end)
	v.HasStart, v.Gone = v.Start != "0%", v.Del != "0%"
	if end <= unitMarks {
		for i := 1; i < end; i++ {
			v.Units = append(v.Units, percent(i, end))
		}
	}
	marked := pool.Wish
	if typed != nil {
		marked = typed
	}
	if pool.Mode == topology.ModeAutoscaled && pool.Min != nil && pool.Max != nil {
		v.band(*pool.Min, *pool.Max, c.Total)
		v.Ticks = newTicks(end, *pool.Min, *pool.Max)
		return v
	}
	if marked == nil {
		v.Ticks = newTicks(end)
		return v
	}
	v.Wish = markView{percent(*marked, end), message.Number(*marked)}
	if *marked > end { // typed: the scale itself stays while somebody drags on it
		v.Wish = markView{percent(end, end), message.Number(end) + " … " + message.Number(*marked)}
	}
	v.Ticks = newTicks(end, *marked)
	v.Notch = percent(valueOr(pool.Wish, *marked), end)
	return v
}

func (v *gaugeView) band(low, high, total int) {
	v.BandX, v.Band = percent(low, v.Max), span(low, high, v.Max)
	v.BandMin = markView{percent(low, v.Max), message.Number(low)}
	v.BandMax = markView{percent(high, v.Max), message.Number(high)}
	if total >= 0 {
		v.Now = percent(total, v.Max)
	}
}

// gaugeEnd is the end of the scale: topology's, but never before what exists.
func gaugeEnd(pool topology.Pool, machines int) int {
	end := max(pool.Limit, machines, 1)
	for _, n := range []*int{pool.Wish, pool.Max} {
		if n != nil {
			end = max(end, *n)
		}
	}
	return end
}

// span is the width from a to b.
func span(a, b, end int) string {
	a, b = min(max(a, 0), end), min(max(b, 0), end)
	return percent(b-a, end)
}

// newTicks places lines and numbers at round distances, at most nine numbers.
func newTicks(end int, marked ...int) []tickView {
	step := tickStep(end)
	minor := step
	if end <= unitMarks {
		minor = 1
	}
	var ticks []tickView
	for n := 0; n <= end; n += minor {
		t := tickView{X: percent(n, end), Length: "26"}
		if n%step == 0 {
			t.Length, t.Text, t.Near = "28", message.Number(n), near(n, step, marked)
		}
		ticks = append(ticks, t)
	}
	if end%step != 0 {
		last := tickView{X: "100%", Length: "28", Text: message.Number(end), Near: near(end, step, marked)}
		if end%step < (step+1)/2 {
			last.Text = ""
		}
		ticks = append(ticks, last)
	}
	return ticks
}

func near(n, step int, marked []int) bool {
	for _, m := range marked {
		if d := m - n; d*20 < step*9 && -d*20 < step*9 {
			return true
		}
	}
	return false
}

// tickStep is the smallest of 1, 2, 5, 10, … that needs at most eight steps.
func tickStep(end int) int {
	for base := 1; ; base *= 10 {
		for _, k := range []int{1, 2, 5} {
			if end <= base*k*8 {
				return base * k
			}
		}
	}
}

func valueOr(n *int, other int) int {
	if n == nil {
		return other
	}
	return *n
}

package views

import (
	"strconv"

	"github.com/capstan-portal/capstan/internal/topology"
)

// stepView is one station on the way from a wish to the truth.
type stepView struct {
	Icon, Look string // Look: "done", "now", "stalled" or "" for waiting
	Text       string
	State      string // in words, for those who don't see the icon
	Part       string // how much of it is done, in percent; empty without a count
	At         when
}

func newSteps(p Page, progress *topology.Progress) []stepView {
	if progress == nil {
		return nil
	}
	var steps []stepView
	for _, s := range progress.Steps {
		v := stepView{Text: p.Say.Say(s.Text), At: clock(s.At)}
		if s.Total > 0 {
			v.Text += " " + strconv.Itoa(s.Done) + "/" + strconv.Itoa(s.Total)
			if s.State != topology.StepDone {
				v.Part = percent(s.Done, s.Total)
			}
		}
		v.Icon, v.Look, v.State = stepLook(p, s.State)
		steps = append(steps, v)
	}
	return steps
}

func stepLook(p Page, s topology.StepState) (icon, look, state string) {
	switch s {
	case topology.StepDone:
		return "ok", "done", p.t("views.step.done")
	case topology.StepRunning:
		return "half", "now", p.t("views.step.running")
	case topology.StepStalled:
		return "stall", "stalled", p.t("views.step.stalled")
	}
	return "ring", "", p.t("views.step.waiting")
}

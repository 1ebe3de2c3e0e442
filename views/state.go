package views

import "github.com/capstan-portal/capstan/internal/topology"

// stateView is a state as an icon and words; the colour never stands alone.
type stateView struct{ Icon, Tone, Text string }

// NewState words a state.
func newState(p Page, s topology.State) stateView {
	icon, tone := stateLook(s.Kind)
	text := p.Say.Say(s.Text)
	if text == "" {
		text = p.t("views.state.unknown")
	}
	return stateView{Icon: icon, Tone: tone, Text: text}
}

func stateLook(k topology.StateKind) (icon, tone string) {
	switch k {
	case topology.StateFailed:
		return "fail", "bad"
	case topology.StateStalled, topology.StateOutOfSync:
		return "stall", "warn"
	case topology.StateDeleting:
		return "del", "idle"
	case topology.StateCreating:
		return "create", "move"
	case topology.StateUpgrading:
		return "upgrade", "move"
	case topology.StateScaleUp:
		return "up", "move"
	case topology.StateScaleDown:
		return "down", "move"
	case topology.StateRollout:
		return "recon", "move"
	case topology.StatePaused:
		return "pause", "idle"
	case topology.StateHealthy:
		return "ok", "ok"
	}
	return "unk", "idle"
}

// words is the colour of a state's words, mark that of its icon.
func (s stateView) words() string {
	switch s.Tone {
	case "warn":
		return "text-warn"
	case "bad":
		return "text-bad"
	case "idle":
		return "text-ink-2"
	}
	return "text-ink"
}

func (s stateView) mark() string {
	switch s.Tone {
	case "ok":
		return "text-ok"
	case "move":
		return "text-accent"
	}
	return ""
}

// ground is the tinted frame that a state has in a page's head only.
func (s stateView) ground() string {
	switch s.Tone {
	case "ok":
		return "text-ok bg-ok-weak"
	case "move":
		return "text-accent-deep bg-accent-weak"
	case "warn":
		return "text-warn bg-warn-weak"
	case "bad":
		return "text-bad bg-bad-weak"
	}
	return "text-ink-2 bg-surface"
}

package views

import (
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// conditionsView is the conditions of a cluster: trouble first, the rest folded.
type conditionsView struct {
	Page
	Count  string
	Watch  []conditionView
	Others []conditionView
	Rest   string // "8 as they should be"
}

type conditionView struct {
	Icon, Mark   string
	Type, Status string
	Reason       string
	Since        when
	List         []listItem // the message as a list; nil when it is none
	Text         string     // else as it stands
}

func newConditions(p Page, list []topology.Condition) conditionsView {
	v := conditionsView{Page: p}
	for _, tone := range []topology.Tone{topology.ToneBad, topology.ToneWarn, topology.ToneMoving, topology.ToneGood, topology.ToneNeutral} {
		for _, c := range list {
			if c.Tone != tone {
				continue
			}
			if tone == topology.ToneGood || tone == topology.ToneNeutral {
				v.Others = append(v.Others, newCondition(c))
			} else {
				v.Watch = append(v.Watch, newCondition(c))
			}
		}
	}
	v.Rest = p.t("views.conditions.good", message.Num("n", len(v.Others)))
	v.Count = p.t("views.conditions.count", message.Num("watch", len(v.Watch)), message.Num("n", len(list)))
	return v
}

func newCondition(c topology.Condition) conditionView {
	v := conditionView{Type: c.Type, Status: c.Status, Reason: c.Reason, Since: clock(c.Since)}
	v.Icon, v.Mark = conditionLook(c)
	if items, ok := parseList(c.Message); ok {
		v.List = items
	} else {
		v.Text = c.Message
	}
	return v
}

func conditionLook(c topology.Condition) (icon, mark string) {
	switch c.Tone {
	case topology.ToneGood:
		return "ok", "text-ok"
	case topology.ToneMoving:
		switch c.Type {
		case "ScalingUp":
			return "up", "text-accent"
		case "ScalingDown":
			return "down", "text-accent"
		case "Deleting":
			return "del", "text-accent"
		}
		return "recon", "text-accent"
	case topology.ToneWarn:
		return "stall", "text-warn"
	case topology.ToneBad:
		return "fail", "text-bad"
	}
	if c.Status == "Unknown" {
		return "unk", "text-ink-3"
	}
	return "ring", "text-ink-3"
}

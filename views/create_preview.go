package views

import (
	"github.com/capstan-portal/capstan/internal/message"
)

// previewView stands beside the form: what it would make.
type previewView struct {
	Page
	Total         string // "5 to 8 machines"
	Machines      string // the same without the word
	CP, Workers   string
	State         stateView
	Checked       when
	Warnings      []string
	Lines         []yamlLine
	YAML, Kubectl string
	Problem       string
}

type yamlLine struct {
	Mark, Text, Look string
}

func newPreview(p Page, in CreateInput) previewView {
	c := in.Preview
	total := rangeText(p, c.ControlPlane+c.Min, c.ControlPlane+c.Max)
	v := previewView{
		Page: p, CP: number(c.ControlPlane), Workers: rangeText(p, c.Min, c.Max), Machines: total, Total: machinesText(p, c.ControlPlane+c.Min, c.ControlPlane+c.Max),
		Checked: clock(in.Checked), Warnings: in.Warnings, YAML: c.Sent, Kubectl: "kubectl create -f " + fileName(in.Form.Name),
	}
	faulty := map[string]bool{}
	for _, f := range in.Faults {
		faulty[f.Field] = true
	}
	for _, l := range c.Lines {
		line := yamlLine{Text: l.Text}
		switch {
		case l.Input != "" && faulty[l.Input]:
			line.Mark, line.Look = "!", "bg-bad-weak text-bad"
		case l.Added:
			line.Mark, line.Look = "d", "bg-surface-2 text-ink-2"
		}
		v.Lines = append(v.Lines, line)
	}
	v.State = previewState(p, in)
	if n := len(in.Faults) + in.Hidden; n > 0 {
		v.Problem = p.t("create.todo", message.Num("n", n))
	}
	return v
}

func previewState(p Page, in CreateInput) stateView {
	switch {
	case in.Failure != nil:
		return stateView{"fail", "bad", p.Say.Say(in.Failure.Text)}
	case in.Accepted:
		return stateView{"ok", "ok", p.t("create.accepted")}
	case len(in.Faults)+in.Hidden > 0:
		return stateView{"half", "idle", p.t("create.todo", message.Num("n", len(in.Faults)+in.Hidden))}
	}
	return stateView{"ring", "idle", p.t("create.unchecked")}
}

func fileName(cluster string) string {
	if cluster == "" {
		return "cluster.yaml"
	}
	return cluster + ".yaml"
}

// machinesText is "1 machine" or "5 to 8 machines".
func machinesText(p Page, low, high int) string {
	if low == high {
		return p.t("create.machines.exact", message.Num("n", low))
	}
	return p.t("create.machines", message.Str("n", rangeText(p, low, high)))
}

func rangeText(p Page, low, high int) string {
	if low == high {
		return number(low)
	}
	return p.t("class.limit.range", message.Str("from", number(low)), message.Str("to", number(high)))
}

package views

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// draftOf is the draft if it is of this pool.
func (in ClusterInput) draftOf(pool topology.Pool) *Draft {
	if in.Draft != nil && in.Draft.Kind == pool.Kind && (in.Draft.Pool == pool.Name || pool.Kind == topology.PoolControlPlane) {
		return in.Draft
	}
	return nil
}

// address names the pool in URLs; the control plane has no name of its own.
func address(kind topology.PoolKind, name string) string {
	if kind == topology.PoolControlPlane {
		return string(kind)
	}
	return name
}

// typedNumber is what was typed, if it is a number that can stand on a track.
func typedNumber(d *Draft) *int {
	if d == nil {
		return nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(d.Typed))
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

func newForm(p Page, in ClusterInput, pool topology.Pool, draft *Draft) formView {
	c := in.Cluster
	name := pool.Name
	if pool.Kind == topology.PoolControlPlane {
		name = p.t("views.cp")
	}
	f := formView{
		Action: templ.SafeURL(p.URLs.Scale(c.Ref, pool.Kind, address(pool.Kind, pool.Name))),
		UID:    c.UID, Seen: optional(pool.Wish), Value: optional(pool.Wish), Min: "0", Step: "1",
		Shown: pool.Mode == topology.ModeFixed && (pool.Kind != topology.PoolControlPlane || pool.Locked.IsZero()),
		Label: p.t("views.form.label", message.Str("pool", name)),
		Fewer: p.t("views.form.fewer", message.Str("pool", name)), More: p.t("views.form.more", message.Str("pool", name)),
	}
	if pool.Kind == topology.PoolControlPlane {
		f.controlPlane(p, c, pool, draft)
	}
	f.Why = lockedWhy(p, c, pool)
	f.Enabled = f.Why == ""
	f.AriaText = p.t("views.form.aria", message.Str("n", "{n}"), message.Str("truth", ariaTruth(p, pool)))
	f.DraftText = p.t("views.form.draft", message.Str("from", p.wish(pool.Wish)), message.Str("to", "{n}"))
	f.OtherText = p.t("views.form.other", message.Str("n", "{n}"))
	if draft != nil && draft.Switch == "" {
		f.Dirty, f.Value = true, draft.Typed
		f.Draft = strings.ReplaceAll(f.DraftText, "{n}", draft.Typed)
		f.Invalid = draft.Failure != nil && draft.Preview == nil
		if draft.Conflict != nil {
			f.Seen = optional(draft.Conflict.Seen)
		}
	}
	f.Aria = strings.ReplaceAll(f.AriaText, "{n}", f.Value)
	return f
}

func ariaTruth(p Page, pool topology.Pool) string {
	first, rest := truth(p, pool, nil)
	if rest == "" {
		return first
	}
	return first + " · " + rest
}

// controlPlane offers the few sizes that make sense: odd ones for etcd that
// kubeadm runs, any from 1 for other kinds.
func (f *formView) controlPlane(p Page, c topology.Cluster, pool topology.Pool, draft *Draft) {
	f.Min = "1"
	sizes := []int{1, 2, 3, 4, 5}
	if c.CPKind == "" || c.CPKind == kubeadmControlPlane {
		f.Step, sizes = "2", []int{1, 3, 5, 7}
	}
	now := pool.Wish
	if n := typedNumber(draft); n != nil {
		now = n
	}
	for _, n := range sizes {
		f.Choices = append(f.Choices, sizeView{strconv.Itoa(n), now != nil && *now == n})
	}
	f.ChoicesLabel = p.t("views.cp.sizes")
}

// kubeadmControlPlane is the kind whose sizes are odd.
const kubeadmControlPlane = "KubeadmControlPlane"

// lockedWhy is why the slider doesn't move: the pool itself, or the right that
// is missing. Empty when it does.
func lockedWhy(p Page, c topology.Cluster, pool topology.Pool) string {
	if !pool.Locked.IsZero() {
		return p.Say.Say(pool.Locked)
	}
	if pool.Mode == topology.ModeAutoscaled && pool.Min != nil && pool.Max != nil {
		return p.t("views.mode.autoscaled.who", message.Num("min", *pool.Min), message.Num("max", *pool.Max))
	}
	if pool.Mode != topology.ModeFixed {
		return ""
	}
	if !c.May.Scale {
		return p.t("views.form.may", message.Str("right", c.May.Missing))
	}
	return ""
}

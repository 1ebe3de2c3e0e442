package web

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// scaleForm is the form that scales a pool, as it was sent.
type scaleForm struct {
	kind      topology.PoolKind
	pool      string
	uid       string        // of the cluster that the person saw
	seen      *int          // replicas that they saw; nil: unset
	typed     string        // replicas as typed, at most 64 bytes
	change    topology.Mode // who shall decide afterwards; "" as before
	min       string        // bounds as typed, at most 64 bytes each
	max       string
	seenRange *topology.Range // the range that they saw; nil: none
	live      *int            // what the autoscaler had set then; nil: what is typed
	anyway    bool            // although somebody else's tool holds the number
	confirm   string
	apply     bool // else only preview
}

// The hidden inputs are the portal's own work: whatever is wrong with them is no
// mistake of the person's, who is asked to load the page anew.
func parseScale(kind topology.PoolKind, pool string, values url.Values) (scaleForm, error) {
	f := scaleForm{
		kind: kind, pool: pool, uid: values.Get("uid"), confirm: values.Get("confirm"),
		typed: truncate(values.Get("replicas"), 64), apply: values.Get("do") == "apply",
		change: topology.Mode(values.Get("mode")), min: truncate(values.Get("min"), 64), max: truncate(values.Get("max"), 64),
		anyway: values.Get("anyway") != "",
	}
	switch kind {
	case topology.PoolMachineDeployment, topology.PoolMachinePool:
	case topology.PoolControlPlane:
		f.pool = "" // it has no name; its address needs one
	default:
		return f, notFound()
	}
	if f.change != "" && f.change != topology.ModeFixed && f.change != topology.ModeAutoscaled {
		return f, badForm()
	}
	if do := values.Get("do"); f.uid == "" || len(f.uid) > 64 || do != "apply" && do != "preview" {
		return f, badForm()
	}
	low, high, err := (*int)(nil), (*int)(nil), error(nil)
	for name, to := range map[string]**int{"seen": &f.seen, "seen-min": &low, "seen-max": &high, "live": &f.live} {
		if *to, err = hidden(values.Get(name)); err != nil {
			return f, err
		}
	}
	if low != nil && high != nil {
		f.seenRange = &topology.Range{Min: *low, Max: *high}
	}
	return f, nil
}

// hidden reads a number that the portal itself put into the form; nil when it
// is empty.
func hidden(text string) (*int, error) {
	if text == "" {
		return nil, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return nil, badForm()
	}
	number := int(n)
	return &number, nil
}

// confirmed says whether the person acknowledged what needs it: the pool's name
// typed for down to zero, anything for down by half.
func (f scaleForm) confirmed(need topology.Confirm) bool {
	switch need {
	case topology.ConfirmNone:
		return true
	case topology.ConfirmZero:
		return f.confirm == f.pool
	}
	return f.confirm != ""
}

// wish is what the form asks for, once its numbers are known.
func (f scaleForm) wish(ref topology.Ref, p topology.Preview) topology.Wish {
	w := topology.Wish{Ref: ref, UID: f.uid, Pool: f.pool, Kind: f.kind, Seen: f.seen, Replicas: p.To, Anyway: f.anyway}
	if f.change != "" {
		w.Switch, w.Range, w.SeenRange = f.change, p.Range, f.seenRange
	}
	return w
}

func badForm() *fail.Error { return fail.New(fail.Invalid, message.New("web.error.form")) }

func truncate(s string, most int) string {
	if len(s) > most {
		s = s[:most]
	}
	return strings.ToValidUTF8(s, "")
}

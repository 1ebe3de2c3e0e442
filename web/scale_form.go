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
	kind    topology.PoolKind
	pool    string
	uid     string // of the cluster that the person saw
	seen    *int   // replicas that they saw; nil: unset
	typed   string // replicas as typed, at most 64 bytes
	confirm string
	apply   bool // else only preview
}

// The hidden inputs are the portal's own work: whatever is wrong with them is no
// mistake of the person's, who is asked to load the page anew.
func parseScale(kind topology.PoolKind, pool string, values url.Values) (scaleForm, error) {
	f := scaleForm{
		kind: kind, pool: pool, uid: values.Get("uid"), confirm: values.Get("confirm"),
		typed: truncate(values.Get("replicas"), 64), apply: values.Get("do") == "apply",
	}
	switch kind {
	case topology.PoolControlPlane, topology.PoolMachineDeployment, topology.PoolMachinePool:
	default:
		return f, notFound()
	}
	if do := values.Get("do"); f.uid == "" || len(f.uid) > 64 || do != "apply" && do != "preview" {
		return f, badForm()
	}
	if seen := values.Get("seen"); seen != "" {
		n, err := strconv.ParseInt(seen, 10, 32)
		if err != nil {
			return f, badForm()
		}
		number := int(n)
		f.seen = &number
	}
	return f, nil
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

// wish is what the form asks for, once its number is known.
func (f scaleForm) wish(ref topology.Ref, replicas int) topology.Wish {
	return topology.Wish{Ref: ref, UID: f.uid, Pool: f.pool, Kind: f.kind, Seen: f.seen, Replicas: replicas}
}

func badForm() *fail.Error { return fail.New(fail.Invalid, message.New("web.error.form")) }

func truncate(s string, most int) string {
	if len(s) > most {
		s = s[:most]
	}
	return strings.ToValidUTF8(s, "")
}

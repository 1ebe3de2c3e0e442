package topology

import (
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// Fields of the form that gives the autoscaler a range, for faults.
const (
	FieldMin = "min"
	FieldMax = "max"
)

// mayBecome refuses what would leave a pool with two deciders or none: a bare
// number where the autoscaler decides, a number where the class has a range (no
// webhook knows that of MachinePools), and nothing where nothing is set.
func (s slot) mayBecome(w Wish) *fail.Error {
	refuse := func(key message.Key) *fail.Error { return fail.New(fail.Invalid, message.New(key)) }
	switch {
	case s.cp && w.Switch != "":
		return refuse("locked.control-plane-range")
	case w.Switch == ModeFixed && rangeOf(s.inherited).named > 0:
		return refuse("locked.class-range")
	case w.Switch == ModeExternal:
		return refuse("locked.external")
	case w.Switch != "":
		return nil
	}
	if span := s.span(); span.named > 0 {
		return fail.New(fail.Invalid, span.locked())
	}
	if s.now == nil {
		return refuse("locked.external")
	}
	return nil
}

// ParseRange reads what a person typed as the autoscaler's bounds: whole
// numbers, 0 ≤ min ≤ max ≤ most, max at least 1. Every fault names its field.
func ParseRange(lowest, highest string, most int) (Range, *fail.Error) {
	var r Range
	var faults []fail.Fault
	for _, bound := range []struct {
		field, text string
		to          *int
	}{{FieldMin, lowest, &r.Min}, {FieldMax, highest, &r.Max}} {
		n, bad := ParseReplicas(bound.text, PoolMachineDeployment, "", most)
		*bound.to = n
		if bad != nil {
			faults = append(faults, fail.Fault{Field: bound.field, Text: bad.Text})
		}
	}
	if len(faults) > 0 {
		return r, fail.New(fail.Invalid, message.New("range.bad"), faults...)
	}
	return r, checkRange(&r)
}

func checkRange(r *Range) *fail.Error {
	switch {
	case r == nil || r.Min < 0:
		return fail.New(fail.Invalid, message.New("range.bad"))
	case r.Max < 1:
		return refuseField(FieldMax, message.New("range.zero"))
	case r.Min > r.Max:
		return refuseField(FieldMax, message.New("range.order",
			message.Str("min", strconv.Itoa(r.Min)), message.Str("max", strconv.Itoa(r.Max))))
	default:
		return nil
	}
}

func refuseField(field string, text message.Text) *fail.Error {
	return fail.New(fail.Invalid, text, fail.Fault{Field: field, Text: text})
}

func sameRange(a, b *Range) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// Handover is a change for somebody who would rather make it elsewhere.
type Handover struct {
	Command string // kubectl, for a shell
	YAML    string // the place in the manifest, for Git
}

// NewHandover words a JSON patch of the object that holds the number. A merge
// patch is no way: it would replace the whole list of pools.
func NewHandover(w Wish, topology bool, patch []byte) Handover {
	resource, name := "clusters.cluster.x-k8s.io", w.Name
	if !topology {
		resource, name = "machinedeployments.cluster.x-k8s.io", w.Pool
	}
	h := Handover{YAML: manifest(w, topology)}
	if len(patch) > 0 {
		h.Command = "kubectl -n " + shell(w.Namespace) + " patch " + resource + " " + shell(name) + " --type=json -p " + shell(string(patch))
	}
	return h
}

// shell quotes a word for a POSIX shell.
func shell(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.'
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func manifest(w Wish, topology bool) string {
	replicas := "replicas: " + strconv.Itoa(w.Replicas) + "\n"
	name := "name: " + string(quote(w.Pool)) + "\n"
	switch {
	case !topology:
		return "spec:\n  " + replicas
	case w.Kind == PoolControlPlane:
		return "spec:\n  topology:\n    controlPlane:\n      " + replicas
	case w.Kind == PoolMachinePool:
		return "spec:\n  topology:\n    workers:\n      machinePools:\n      - " + name + "        " + replicas
	default:
		return "spec:\n  topology:\n    workers:\n      machineDeployments:\n      - " + name + "        " + replicas
	}
}

package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

func autoscaled(c *topology.Cluster) {
	two, six := 2, 6
	p := &c.Pools[0]
	p.Mode, p.Wish, p.Min, p.Max, p.Freeze, p.Release = topology.ModeAutoscaled, nil, &two, &six, true, true
	p.Locked = message.New("locked.autoscaled", message.Num("min", 2), message.Num("max", 6))
}

func switchValues(do, mode string, more ...string) url.Values {
	v := url.Values{"uid": {"uid-one"}, "seen": {""}, "seen-min": {"2"}, "seen-max": {"6"}, "mode": {mode}, "do": {do}}
	for i := 0; i+1 < len(more); i += 2 {
		v.Set(more[i], more[i+1])
	}
	return v
}

func TestSwitchForms(t *testing.T) {
	tests := map[string]struct {
		values url.Values
		status int
		writes int
	}{
		"fix at the live number":      {switchValues("apply", "fixed", "replicas", "3"), http.StatusSeeOther, 1},
		"the live number has moved":   {switchValues("apply", "fixed", "replicas", "4"), http.StatusConflict, 0},
		"another range":               {switchValues("apply", "autoscaled", "min", "1", "max", "9"), http.StatusSeeOther, 1},
		"preview of a range":          {switchValues("preview", "autoscaled", "min", "1", "max", "9"), http.StatusOK, 1},
		"upside down":                 {switchValues("apply", "autoscaled", "min", "9", "max", "1"), http.StatusUnprocessableEntity, 0},
		"half a range":                {switchValues("apply", "autoscaled", "min", "1", "max", ""), http.StatusUnprocessableEntity, 0},
		"more than a pool may have":   {switchValues("apply", "autoscaled", "min", "1", "max", "100000"), http.StatusUnprocessableEntity, 0},
		"a bare number":               {switchValues("apply", "", "replicas", "5"), http.StatusUnprocessableEntity, 0},
		"a mode that there is not":    {switchValues("apply", "external", "replicas", "5"), http.StatusUnprocessableEntity, 0},
		"a range nobody can have put": {switchValues("apply", "fixed", "replicas", "3", "seen-min", "two"), http.StatusUnprocessableEntity, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := start(t, "", nil)
			p.signIn()
			p.fleet.change("one", autoscaled)
			p.still()
			a := p.post(scalePath, test.values)
			if a.status != test.status || len(p.fleet.wishes()) != test.writes {
				t.Fatalf("got %d with %d writes, want %d with %d", a.status, len(p.fleet.wishes()), test.status, test.writes)
			}
			if test.writes == 1 {
				w := p.fleet.wishes()[0].wish
				if string(w.Switch) != test.values.Get("mode") || w.Seen != nil || *w.SeenRange != (topology.Range{Min: 2, Max: 6}) {
					t.Errorf("wish %+v", w)
				}
			}
		})
	}
}

func TestRefusedRangeStays(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	p.fleet.change("one", autoscaled)
	a := p.post(scalePath, switchValues("preview", "autoscaled", "min", "9", "max", "1"))
	low, _ := a.find(t, "input[name=min]").Attr("value")
	high, _ := a.find(t, "input[name=max]").Attr("value")
	if low != "9" || high != "1" || a.find(t, "#pending-why").Length() != 1 {
		t.Errorf("min %q, max %q: %s", low, high, a.find(t, "#pending").Text())
	}
}

func TestWriteAnyway(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	owner := topology.Owner{UID: "uid-one", Held: true, Setter: topology.Setter{Manager: "argocd-controller", Tool: topology.ToolArgo}}
	p.fleet.do(func() { p.fleet.answer = topology.Written{ResourceVersion: "42", Owner: owner, Patch: []byte("[]")} })
	a := p.post(scalePath, scaleValues("preview", "8", ""))
	if a.find(t, "[name=anyway]").Length() != 1 || !strings.Contains(a.find(t, "#pending").Text(), "Argo CD") ||
		!strings.Contains(a.find(t, "#handover").Text(), "kubectl -n team-a patch") {
		t.Fatalf("the panel: %s", a.find(t, "#pending").Text())
	}
	p.fleet.do(func() {
		p.fleet.refusal = fail.New(fail.Invalid, message.New("scale.held", message.Str("manager", "argocd-controller")))
	})
	a = p.post(scalePath, scaleValues("apply", "8", ""))
	if _, off := a.find(t, "[data-apply]").Attr("disabled"); a.status != http.StatusUnprocessableEntity || off {
		t.Errorf("without the tick: %d, apply disabled %t", a.status, off)
	}
	p.fleet.do(func() { p.fleet.refusal = nil })
	p.still()
	v := scaleValues("apply", "8", "")
	v.Set("anyway", "1")
	if a := p.post(scalePath, v); a.status != http.StatusSeeOther || !p.fleet.wishes()[2].wish.Anyway {
		t.Errorf("with the tick: %d", a.status)
	}
}

func TestControlPlaneForm(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	p.fleet.change("one", func(c *topology.Cluster) { c.CP.Name = "" })
	const path = "/clusters/team-a/one/scale/control-plane/control-plane"
	if got := p.get("/clusters/team-a/one").find(t, "[data-set]").Length(); got != 4 {
		t.Errorf("%d sizes to choose from, want 1, 3, 5 and 7", got)
	}
	for typed, want := range map[string]int{"5": http.StatusOK, "2": 422, "0": 422, "-1": 422, "1": http.StatusOK} {
		a := p.post(path, scaleValues("preview", typed, ""))
		if a.status != want {
			t.Errorf("%s: got %d, want %d", typed, a.status, want)
		}
		warned := strings.Contains(a.find(t, "#pending").Text(), p.Words.Printer("en").Key("note.single-control-plane"))
		if warned != (typed == "1") {
			t.Errorf("%s: warned of one machine: %t", typed, warned)
		}
	}
	p.still()
	if a := p.post(path, scaleValues("apply", "5", "")); a.status != http.StatusSeeOther {
		t.Errorf("apply: %d", a.status)
	}
}

// Somebody else gave the pool another range, or took it from the autoscaler,
// meanwhile: both are shown with who it was, and setting one's own is one click
// that starts from what stands there now.
func TestConflictOnARange(t *testing.T) {
	five := 5
	for name, test := range map[string]struct {
		values url.Values
		owner  topology.Owner
		said   []string
		fields map[string]string
	}{
		"another range": {switchValues("apply", "autoscaled", "min", "1", "max", "9"), topology.Owner{Range: &topology.Range{Min: 3, Max: 4}},
			[]string{"grace set 3 to 4, autoscaled", "Keep 3 to 4", "Set 1 to 9"},
			map[string]string{"mode": "autoscaled", "seen": "", "seen-min": "3", "seen-max": "4", "min": "1", "max": "9"}},
		"a number instead": {switchValues("apply", "autoscaled", "min", "1", "max", "9"), topology.Owner{Now: &five},
			[]string{"grace set 5", "Keep 5", "Set 1 to 9"},
			map[string]string{"mode": "autoscaled", "seen": "5", "seen-min": "", "seen-max": "", "min": "1", "max": "9"}},
		"fixing it": {switchValues("apply", "fixed", "replicas", "3", "live", "3"), topology.Owner{Range: &topology.Range{Min: 3, Max: 4}},
			[]string{"grace set 3 to 4, autoscaled", "Fix at 3"},
			map[string]string{"mode": "fixed", "seen-min": "3", "seen-max": "4", "replicas": "3"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, "", nil)
			p.signIn()
			p.fleet.change("one", autoscaled)
			test.owner.UID, test.owner.Who = "uid-one", "grace"
			p.fleet.do(func() {
				p.fleet.refusal, p.fleet.owner = fail.New(fail.Conflict, message.New("scale.range-changed")), test.owner
			})
			a := p.post(scalePath, test.values)
			panel := a.find(t, "#pending")
			for _, words := range test.said {
				if a.status != http.StatusConflict || !strings.Contains(panel.Text(), words) {
					t.Errorf("%d, %q is missing: %s", a.status, words, panel.Text())
				}
			}
			for name, want := range test.fields {
				if got, _ := panel.Find("form input[name=" + name + "]").Attr("value"); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
		})
	}
}

// A way back to another number than the autoscaler's is taken as long as that
// is the one that was seen.
func TestFixedAtAnotherNumber(t *testing.T) {
	for live, want := range map[string]int{"3": http.StatusSeeOther, "4": http.StatusConflict} {
		p := start(t, "", nil)
		p.signIn()
		p.fleet.change("one", autoscaled)
		p.still()
		if a := p.post(scalePath, switchValues("apply", "fixed", "replicas", "5", "live", live)); a.status != want {
			t.Errorf("seen %s: got %d, want %d", live, a.status, want)
		}
	}
}

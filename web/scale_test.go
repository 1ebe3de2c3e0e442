package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

const scalePath = "/clusters/team-a/one/scale/machine-deployment/md-0"

func scaleValues(do, replicas, confirm string) url.Values {
	return url.Values{"uid": {"uid-one"}, "seen": {"3"}, "replicas": {replicas}, "confirm": {confirm}, "do": {do}}
}

// typed is the number field of the pool.
func (p *portal) typed(a answer) string {
	v, _ := a.find(p.t, "input[name=replicas]:not([type=hidden])").Last().Attr("value")
	return v
}

func TestPreviewAsksAdmission(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	a := p.post(scalePath, scaleValues("preview", "8", ""))
	if a.status != http.StatusOK || p.typed(a) != "8" {
		t.Fatalf("got %d, typed %q", a.status, p.typed(a))
	}
	w := p.fleet.wishes()
	if len(w) != 1 || !w[0].dry || w[0].wish.Replicas != 8 || *w[0].wish.Seen != 3 || w[0].wish.UID != "uid-one" || w[0].user.Name != "oidc:ada" {
		t.Errorf("asked: %+v", w)
	}
	if page, _ := a.find(t, "html").Attr("data-page"); page != "/clusters/team-a/one?kind=machine-deployment&pool=md-0&replicas=8" {
		t.Errorf("the answer's address is %q", page)
	}
}

func TestFragmentIsThePanelAlone(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	a := p.post(scalePath, scaleValues("preview", "8", ""), fragmentHeader, "pending")
	if a.status != http.StatusOK || strings.Contains(a.body, "<html") || a.find(t, "#pending").Length() != 1 {
		t.Errorf("got %d: %s", a.status, a.body)
	}
}

func TestApply(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	p.fleet.do(func() { p.fleet.written = true })
	p.still()
	a := p.post(scalePath, scaleValues("apply", "8", ""))
	if a.status != http.StatusSeeOther || a.header.Get("Location") != "/clusters/team-a/one?written=42" {
		t.Fatalf("got %d to %q", a.status, a.header.Get("Location"))
	}
	if w := p.fleet.wishes(); len(w) != 1 || w[0].dry {
		t.Errorf("written: %+v", w)
	}
	if p.fleet.requests[0] != a.header.Get("X-Request-Id") {
		t.Error("the write does not know its request")
	}
	if a := p.get("/clusters/team-a/one?written=42"); a.status != http.StatusOK {
		t.Errorf("afterwards: %d", a.status)
	}
}

func TestAlreadySoIsDone(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	p.fleet.do(func() { p.fleet.answer = topology.Written{ResourceVersion: "42", Already: true} })
	p.still()
	if a := p.post(scalePath, scaleValues("apply", "8", "")); a.status != http.StatusSeeOther || a.header.Get("Location") != "/clusters/team-a/one" {
		t.Errorf("got %d to %q", a.status, a.header.Get("Location"))
	}
}

func TestWrittenButNotSeen(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	began := time.Now()
	a := p.get("/clusters/team-a/one?written=42")
	if took := time.Since(began); took < awaitPage || took > awaitPage+3*time.Second {
		t.Errorf("waited %s", took)
	}
	words := p.Words.Printer("en").Key("views.notseen")
	if !strings.Contains(a.find(t, "main").Text(), words) {
		t.Errorf("the page does not say %q", words)
	}
}

func TestConfirmation(t *testing.T) {
	tests := map[string]struct {
		replicas, confirm string
		status            int
	}{
		"half":              {"1", "", http.StatusUnprocessableEntity},
		"half confirmed":    {"1", "half", http.StatusSeeOther},
		"a third":           {"2", "", http.StatusSeeOther},
		"zero":              {"0", "", http.StatusUnprocessableEntity},
		"zero with a tick":  {"0", "half", http.StatusUnprocessableEntity},
		"zero with name":    {"0", "md-0", http.StatusSeeOther},
		"more needs no one": {"30", "", http.StatusSeeOther},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := start(t, "", nil)
			p.signIn()
			p.still()
			a := p.post(scalePath, scaleValues("apply", test.replicas, test.confirm))
			if a.status != test.status {
				t.Fatalf("got %d", a.status)
			}
			if written := len(p.fleet.wishes()); (test.status == http.StatusSeeOther) != (written == 1) {
				t.Errorf("%d writes", written)
			}
			if test.status != http.StatusSeeOther && (p.typed(a) != test.replicas || a.find(t, "[name=confirm]").Length() != 1) {
				t.Errorf("typed %q stays, %d confirmations", p.typed(a), a.find(t, "[name=confirm]").Length())
			}
		})
	}
}

func TestWhatCannotBeDoneStays(t *testing.T) {
	for _, typed := range []string{"-1", "1000000000", "3.5", "many", "", "１０００００", "1e3", "0x10", strings.Repeat("9", 60)} {
		t.Run(typed, func(t *testing.T) {
			p := start(t, "", nil)
			p.signIn()
			for _, do := range []string{"preview", "apply"} {
				a := p.post(scalePath, scaleValues(do, typed, ""))
				if a.status != http.StatusUnprocessableEntity || p.typed(a) != typed || len(p.fleet.wishes()) != 0 {
					t.Errorf("%s: got %d, typed %q, %d writes", do, a.status, p.typed(a), len(p.fleet.wishes()))
				}
			}
		})
	}
}

func TestConflictShowsBothNumbers(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	six := 6
	p.fleet.do(func() {
		p.fleet.refusal = conflict()
		p.fleet.owner = topology.Owner{UID: "uid-one", Now: &six, Who: "oidc:grace", At: p.now()}
	})
	a := p.post(scalePath, scaleValues("apply", "8", ""))
	if a.status != http.StatusConflict || p.typed(a) != "8" || !strings.Contains(a.find(t, "#pending").Text(), "6") {
		t.Errorf("got %d, typed %q: %s", a.status, p.typed(a), a.find(t, "#pending").Text())
	}
	p.fleet.do(func() { p.fleet.owner.UID = "another" })
	a = p.post(scalePath, scaleValues("apply", "8", ""))
	if a.status != http.StatusConflict || a.find(t, "#pending [name=replicas]").Length() != 0 {
		t.Errorf("recreated: got %d and a choice", a.status)
	}
}

func TestRefusalByTheManagementCluster(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	tests := map[fail.Code]int{fail.Forbidden: 403, fail.Invalid: 422, fail.Unavailable: 503, fail.NotFound: 404}
	for code, status := range tests {
		p.fleet.do(func() { p.fleet.refusal = fail.New(code, message.New("web.error.form")) })
		a := p.post(scalePath, scaleValues("apply", "8", ""))
		if a.status != status {
			t.Errorf("%s: got %d", code, a.status)
		}
		if code != fail.NotFound && p.typed(a) != "8" {
			t.Errorf("%s: typed %q", code, p.typed(a))
		}
	}
}

func TestPoolThatHasGone(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	p.fleet.change("one", func(c *topology.Cluster) { c.Pools = nil })
	if a := p.post(scalePath, scaleValues("apply", "8", "")); a.status != http.StatusConflict || len(p.fleet.wishes()) != 0 {
		t.Errorf("got %d", a.status)
	}
}

func TestLinkedDraftAsksNobody(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	a := p.get("/clusters/team-a/one?pool=md-0&kind=machine-deployment&replicas=8")
	if a.status != http.StatusOK || p.typed(a) != "8" || len(p.fleet.wishes()) != 0 {
		t.Errorf("got %d, typed %q, %d dry runs", a.status, p.typed(a), len(p.fleet.wishes()))
	}
}

func TestAddressOfAFormLeadsToThePage(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	if a := p.get(scalePath); a.url.Path != "/clusters/team-a/one" {
		t.Errorf("ended at %s", a.url)
	}
}

func TestSpoiltForms(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	for name, spoil := range map[string]func(url.Values){
		"no uid":      func(v url.Values) { v.Del("uid") },
		"odd seen":    func(v url.Values) { v.Set("seen", "three") },
		"huge seen":   func(v url.Values) { v.Set("seen", "99999999999") },
		"neither":     func(v url.Values) { v.Del("do") },
		"unknown do":  func(v url.Values) { v.Set("do", "delete") },
		"endless uid": func(v url.Values) { v.Set("uid", strings.Repeat("x", 100)) },
	} {
		v := scaleValues("apply", "8", "")
		spoil(v)
		if a := p.post(scalePath, v); a.status != http.StatusUnprocessableEntity || len(p.fleet.wishes()) != 0 {
			t.Errorf("%s: got %d", name, a.status)
		}
	}
	if a := p.post("/clusters/team-a/one/scale/pods/md-0", scaleValues("apply", "8", "")); a.status != http.StatusNotFound {
		t.Errorf("unknown kind: %d", a.status)
	}
}

func FuzzParseScale(f *testing.F) {
	f.Add("machine-deployment", "md-0", "uid=u&seen=3&replicas=8&do=apply&confirm=")
	f.Add("control-plane", "", "uid=u&seen=&replicas=-1&do=preview")
	f.Fuzz(func(t *testing.T, kind, pool, body string) {
		values, err := url.ParseQuery(body)
		if err != nil {
			return
		}
		form, err := parseScale(topology.PoolKind(kind), pool, values)
		if err != nil {
			if code := fail.CodeOf(err); code != fail.Invalid && code != fail.NotFound {
				t.Errorf("an error of ours: %v", err)
			}
			return
		}
		if form.uid == "" || len(form.typed) > 64 || strings.ToValidUTF8(form.typed, "") != form.typed {
			t.Errorf("taken: %+v", form)
		}
		if form.confirmed(topology.ConfirmZero) && form.confirm != pool {
			t.Errorf("confirmed without the name: %+v", form)
		}
	})
}

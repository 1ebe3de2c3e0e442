package fleet

import (
	"sync"
	"testing"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/topology"
)

func woken(s *subscription) bool {
	select {
	case <-s.Wake():
		return true
	default:
		return false
	}
}

func TestWhoIsWoken(t *testing.T) {
	one, other := topology.Ref{Namespace: "a", Name: "one"}, topology.Ref{Namespace: "a", Name: "other"}
	alice, bob := auth.User{Name: "alice"}.Key(), auth.User{Name: "bob"}.Key()
	tests := map[string]struct {
		happens          func(h *hub)
		page, list, bobs bool
	}{
		"a cluster changed":       {func(h *hub) { h.changed(one) }, true, false, true},
		"another cluster changed": {func(h *hub) { h.changed(other) }, false, false, false},
		"a list changed":          {(*hub).listed, false, true, false},
		"alice's rights changed":  {func(h *hub) { h.wakeUser(alice) }, true, true, false},
		"a stranger's changed":    {func(h *hub) { h.wakeUser("x") }, false, false, false},
		"the connection was lost": {(*hub).wakeAll, true, true, true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHub()
			page := h.subscribe(alice, []topology.Topic{{Ref: one}})
			list := h.subscribe(alice, []topology.Topic{{}})
			bobs := h.subscribe(bob, []topology.Topic{{Ref: one}})
			tc.happens(h)
			if got := [3]bool{woken(page), woken(list), woken(bobs)}; got != [3]bool{tc.page, tc.list, tc.bobs} {
				t.Errorf("page, list, bob's page: %v, want %v", got, [3]bool{tc.page, tc.list, tc.bobs})
			}
		})
	}
}

func TestManyChangesAreOneWakeUp(t *testing.T) {
	h := newHub()
	s := h.subscribe("u", []topology.Topic{{}, {Ref: topology.Ref{Name: "x"}}})
	for range 100 {
		h.listed()
	}
	if !woken(s) || woken(s) {
		t.Error("want exactly one wake-up")
	}
}

func TestClosedSubscriptionsLeaveNothing(t *testing.T) {
	h := newHub()
	ref := topology.Ref{Namespace: "a", Name: "one"}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			s := h.subscribe("u", []topology.Topic{{Ref: ref}, {}})
			h.changed(ref)
			h.wakeAll()
			s.Close()
			s.Close()
		})
		all.Go(func() { h.listed(); h.wakeUser("u") })
	}
	all.Wait()
	if len(h.topics)+len(h.users) != 0 {
		t.Errorf("%d topics and %d users are left", len(h.topics), len(h.users))
	}
}

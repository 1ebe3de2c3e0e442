package fleet

import (
	"sync"
	"sync/atomic"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/topology"
)

// hub knows who waits for what. It carries no objects: a subscriber is woken
// up and reads the newest state itself, so nothing can be lost or disordered.
type hub struct {
	mu     sync.Mutex
	topics map[topology.Topic]subscribers
	users  map[auth.UserKey]subscribers

	version atomic.Uint64 // counts rounds of waking up
}

type subscribers map[*subscription]struct{}

type subscription struct {
	hub    *hub
	user   auth.UserKey
	topics []topology.Topic
	wake   chan struct{}
}

func newHub() *hub {
	return &hub{topics: map[topology.Topic]subscribers{}, users: map[auth.UserKey]subscribers{}}
}

func (h *hub) subscribe(user auth.UserKey, topics []topology.Topic) *subscription {
	s := &subscription{hub: h, user: user, topics: topics, wake: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	join(h.users, user, s)
	for _, t := range topics {
		join(h.topics, t, s)
	}
	return s
}

// Wake receives after each change; several changes may be one wake-up.
func (s *subscription) Wake() <-chan struct{} { return s.wake }

// Close ends the subscription; it may be called twice.
func (s *subscription) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	leave(s.hub.users, s.user, s)
	for _, t := range s.topics {
		leave(s.hub.topics, t, s)
	}
}

func (s *subscription) notify() {
	select {
	case s.wake <- struct{}{}:
	default: // one wake-up waits already: it will see this change too
	}
}

// changed wakes those who look at the cluster.
func (h *hub) changed(ref topology.Ref) { h.wakeTopic(topology.Topic{Ref: ref}) }

// listed wakes those who look at a list.
func (h *hub) listed() { h.wakeTopic(topology.Topic{}) }

func (h *hub) wakeTopic(t topology.Topic) {
	h.version.Add(1)
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.topics[t] {
		s.notify()
	}
}

// wakeUser wakes those whose rights may have changed.
func (h *hub) wakeUser(u auth.UserKey) {
	h.version.Add(1)
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.users[u] {
		s.notify()
	}
}

// wakeAll wakes everybody.
func (h *hub) wakeAll() {
	h.version.Add(1)
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, all := range h.users {
		for s := range all {
			s.notify()
		}
	}
}

func join[K comparable](m map[K]subscribers, key K, s *subscription) {
	if m[key] == nil {
		m[key] = subscribers{}
	}
	m[key][s] = struct{}{}
}

func leave[K comparable](m map[K]subscribers, key K, s *subscription) {
	delete(m[key], s)
	if len(m[key]) == 0 {
		delete(m, key)
	}
}

package auth

import (
	"context"
	"sync"
	"time"
)

// askTimeout bounds one review: it runs detached from the request that
// happened to ask first, because others may wait for the same answer.
const askTimeout = 10 * time.Second

// memo remembers answers by question; who asks while the same question is
// under way waits for that answer. Failures are not remembered.
type memo[K comparable, V any] struct {
	mu      sync.Mutex
	answers map[K]*answer[V]
	max     int // answers kept; beyond it the memo starts afresh
}

type answer[V any] struct {
	done  chan struct{}
	value V
	err   error
}

func newMemo[K comparable, V any](limit int) *memo[K, V] {
	return &memo[K, V]{answers: map[K]*answer[V]{}, max: limit}
}

// get gives the remembered answer or asks for it.
func (m *memo[K, V]) get(ctx context.Context, key K, ask func(context.Context) (V, error)) (V, error) {
	m.mu.Lock()
	a, found := m.answers[key]
	if !found {
		if len(m.answers) >= m.max {
			clear(m.answers)
		}
		a = &answer[V]{done: make(chan struct{})}
		m.answers[key] = a
		go m.ask(context.WithoutCancel(ctx), key, a, ask)
	}
	m.mu.Unlock()
	select {
	case <-a.done:
		return a.value, a.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

func (m *memo[K, V]) ask(ctx context.Context, key K, a *answer[V], ask func(context.Context) (V, error)) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	a.value, a.err = ask(ctx)
	if a.err != nil {
		m.mu.Lock()
		if m.answers[key] == a {
			delete(m.answers, key)
		}
		m.mu.Unlock()
	}
	close(a.done)
}

// known gives the answer if it is there already.
func (m *memo[K, V]) known(key K) (value V, ok bool) {
	m.mu.Lock()
	a := m.answers[key]
	m.mu.Unlock()
	if a == nil {
		return value, false
	}
	select {
	case <-a.done:
		return a.value, a.err == nil
	default:
		return value, false
	}
}

// forget drops the answers whose key matches. An answer under way is forgotten
// too: who waits for it still gets it, who asks later asks anew. It says
// whether there was any.
func (m *memo[K, V]) forget(match func(K) bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := len(m.answers)
	for key := range m.answers {
		if match(key) {
			delete(m.answers, key)
		}
	}
	return len(m.answers) < before
}

package fleet

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/topology"
)

// What the autoscaler says is read past the cache, as the person, not more
// often than this, and nobody waits long for it.
const (
	wordsAge     = 30 * time.Second
	wordsTimeout = 2 * time.Second
	wordsLimit   = "200"
)

// words keeps for a moment what the Cluster Autoscaler says in a namespace, so
// that the renderings of a busy page don't ask each time.
type words struct {
	mu    sync.Mutex
	heard map[wordsKey]heard
}

type wordsKey struct {
	user      auth.UserKey
	namespace string
}

type heard struct {
	at     time.Time
	events []corev1.Event
}

// overhear adds the autoscaler's last word to the pools that it scales. That it
// can't be read is no reason to show no page.
func (f *Fleet) overhear(ctx context.Context, u auth.User, c *topology.Cluster) {
	if c.Denied[topology.KindEvent] {
		return
	}
	for _, p := range c.Pools {
		if p.Mode == topology.ModeAutoscaled {
			topology.Overhear(c, f.autoscalerEvents(ctx, u, c.Namespace))
			return
		}
	}
}

func (f *Fleet) autoscalerEvents(ctx context.Context, u auth.User, namespace string) []corev1.Event {
	key, now := wordsKey{u.Key(), namespace}, time.Now()
	f.words.mu.Lock()
	known, ok := f.words.heard[key]
	f.words.mu.Unlock()
	if ok && now.Sub(known.at) < wordsAge {
		return known.events
	}
	events, err := f.readAutoscaler(ctx, u, namespace)
	if err != nil {
		f.log.InfoContext(ctx, "the autoscaler's Events were not read", "namespace", namespace, "user", u.Name, "err", err)
	}
	f.words.keep(key, heard{now, events})
	return events
}

// keep also forgets what is too old to be used again.
func (w *words) keep(key wordsKey, h heard) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for other, old := range w.heard {
		if h.at.Sub(old.at) >= wordsAge {
			delete(w.heard, other)
		}
	}
	w.heard[key] = h
}

func (f *Fleet) readAutoscaler(ctx context.Context, u auth.User, namespace string) ([]corev1.Event, error) {
	ctx, cancel := context.WithTimeout(ctx, wordsTimeout)
	defer cancel()
	rc, err := f.clients.as(u, corev1.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	var list corev1.EventList
	err = rc.Get().Namespace(namespace).Resource(string(topology.KindEvent)).MaxRetries(0).
		Param("fieldSelector", "source="+topology.AutoscalerSource).Param("limit", wordsLimit).Do(ctx).Into(&list)
	return list.Items, err
}

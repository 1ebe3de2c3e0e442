package fleet

import (
	"context"
	"errors"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/capstan-portal/capstan/internal/topology"
)

const (
	defaultProbe = 2 * time.Second
	probeTimeout = 5 * time.Second
)

// link knows whether the management cluster is heard. Two things tell: a probe
// every few seconds, and each list and watch of the informers. While the probe
// fails lists and watches wait at the gate instead of trying: so their backoff
// doesn't grow, and all of them are back within a moment when it answers.
type link struct {
	changed func() // called when lost or found again

	mu     sync.Mutex
	down   time.Time            // since when the probe fails; zero: it answers
	behind map[string]time.Time // informers whose last list or watch got no answer
	gate   chan struct{}        // closed while the probe answers
	lost   bool                 // as last told
}

func newLink(changed func()) *link {
	l := &link{changed: changed, behind: map[string]time.Time{}, gate: make(chan struct{})}
	close(l.gate)
	return l
}

// run probes until ctx ends.
func (l *link) run(ctx context.Context, every time.Duration, probe func(context.Context) error) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		one, cancel := context.WithTimeout(ctx, probeTimeout)
		err := probe(one)
		cancel()
		if ctx.Err() != nil {
			return
		}
		l.probed(err)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// probed takes the answer of a probe.
func (l *link) probed(err error) {
	l.update(func() {
		switch {
		case answered(err) && !l.down.IsZero():
			l.down = time.Time{}
			close(l.gate)
		case !answered(err) && l.down.IsZero():
			l.down = time.Now()
			l.gate = make(chan struct{})
		}
	})
}

// report takes the outcome of an informer's list or watch.
func (l *link) report(informer string, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	l.update(func() {
		if answered(err) {
			delete(l.behind, informer)
		} else if l.behind[informer].IsZero() {
			l.behind[informer] = time.Now()
		}
	})
}

func (l *link) update(change func()) {
	l.mu.Lock()
	change()
	lost := !l.down.IsZero() || len(l.behind) > 0
	flipped := lost != l.lost
	l.lost = lost
	l.mu.Unlock()
	if flipped {
		l.changed()
	}
}

// wait passes when the management cluster answers.
func (l *link) wait(ctx context.Context) error {
	l.mu.Lock()
	gate := l.gate
	l.mu.Unlock()
	select {
	case <-gate:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// state says since when the oldest of the losses is.
func (l *link) state() topology.Connection {
	l.mu.Lock()
	defer l.mu.Unlock()
	since := l.down
	for _, t := range l.behind {
		if since.IsZero() || t.Before(since) {
			since = t
		}
	}
	return topology.Connection{Lost: !since.IsZero(), Since: since}
}

// answered tells an API server that said no from one that said nothing. One
// that is starting up or shutting down doesn't count as an answer.
func answered(err error) bool {
	if err == nil {
		return true
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return false
	}
	return !apierrors.IsServiceUnavailable(err) && !apierrors.IsTimeout(err) && !apierrors.IsServerTimeout(err)
}

// worthSaying tells whether err is worth a line in the log: an API server that
// doesn't answer is told of once, when the link is lost.
func worthSaying(err error) bool {
	return err != nil && answered(err) && !apierrors.IsResourceExpired(err) && !apierrors.IsGone(err)
}

package web

import (
	"net"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Signing in costs the provider work: this much of it is passed on per address.
// Behind a proxy all people share one address, hence the generous burst.
const (
	startsPerSecond = 20
	startsBurst     = 100
	maxAddresses    = 10_000
)

// throttle limits sign-ins by the address that they come from.
type throttle struct {
	mu   sync.Mutex
	from map[string]*rate.Limiter
}

func newThrottle() *throttle { return &throttle{from: map[string]*rate.Limiter{}} }

// allow says whether one more may start at now.
func (t *throttle) allow(remote string, now time.Time) bool {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	limiter, ok := t.from[host]
	if !ok {
		if len(t.from) >= maxAddresses {
			clear(t.from) // bounded memory matters more than an attacker's fresh start
		}
		limiter = rate.NewLimiter(startsPerSecond, startsBurst)
		t.from[host] = limiter
	}
	return limiter.AllowN(now, 1)
}

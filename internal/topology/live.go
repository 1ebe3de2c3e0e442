package topology

import "time"

// Topic is what a page depends on: one cluster, or the zero Topic for any.
type Topic struct{ Ref Ref }

// Subscription wakes a page up when one of its topics changed. It carries no
// objects: the page pulls the newest state itself, so nothing can be lost.
type Subscription interface {
	// Wake has capacity 1 and receives after each change.
	Wake() <-chan struct{}
	// Close ends it; it may be called twice.
	Close()
}

// Connection says whether the portal still hears from the management cluster.
type Connection struct {
	Lost  bool
	Since time.Time // since when, if Lost
}

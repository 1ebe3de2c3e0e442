package auth

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// Access decides what people may do and keeps the decisions per person until
// something that could matter changes (Drop) or they get old.
//
// It asks as little as it can: one cluster-wide review for a list, one listing
// of rules per namespace otherwise, from which every further question about
// that namespace is answered; single reviews only where rules can't be listed.
// Memory is bounded: people who ask nothing for a while are forgotten.
type Access struct {
	reviewer Reviewer
	o        AccessOptions
	slots    chan struct{} // reviews under way

	mu     sync.Mutex
	people map[UserKey]*decisions
}

// AccessOptions are the settings of Access; zero values take the defaults.
type AccessOptions struct {
	// TTL is how long a decision is kept at most, 5 minutes by default.
	TTL time.Duration
	// Parallel is how many reviews run at once, 32 by default.
	Parallel int
	// Dropped is told whose decisions were dropped; nil: nobody wants to know.
	Dropped func(UserKey)
}

const (
	defaultTTL      = 5 * time.Minute
	defaultParallel = 32
	// incompleteTTL holds where an authorizer decides that can't list its
	// rules: its changes can't be watched.
	incompleteTTL = 15 * time.Second
	idleTime      = 15 * time.Minute
	sweepEvery    = 5 * time.Second
)

// UserKey tells people apart as far as rights go: by name and groups.
type UserKey string

// Key is the user's key: equal for equal name and groups in any order.
func (u User) Key() UserKey {
	groups := slices.Clone(u.Groups)
	slices.Sort(groups)
	return UserKey(u.Name + "\x00" + strings.Join(groups, "\x00"))
}

// NewAccess makes an Access without decisions. Run keeps it tidy.
func NewAccess(r Reviewer, o AccessOptions) *Access {
	if o.TTL <= 0 {
		o.TTL = defaultTTL
	}
	if o.Parallel <= 0 {
		o.Parallel = defaultParallel
	}
	if o.Dropped == nil {
		o.Dropped = func(UserKey) {}
	}
	return &Access{reviewer: r, o: o, slots: make(chan struct{}, o.Parallel), people: map[UserKey]*decisions{}}
}

// Run drops old decisions and forgets idle people until ctx ends.
func (a *Access) Run(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			a.sweep(now)
		}
	}
}

// May answers one question about one object, or, with an empty Name, about all
// objects of the namespace.
func (a *Access) May(ctx context.Context, u User, q Question) (bool, error) {
	d := a.of(u)
	if q.Namespace == "" {
		return a.review(ctx, d, q)
	}
	if yes, _ := d.reviews.known(Question{Verb: q.Verb, Kind: q.Kind}); yes {
		return true, nil
	}
	rules, err := a.rules(ctx, d, q.Namespace)
	if err != nil {
		return false, err
	}
	if !rules.complete {
		return a.review(ctx, d, q)
	}
	g := rules.grant(q.Verb, q.Kind)
	return g.all || (q.Name != "" && g.names[q.Name]), nil
}

// of gives the decisions about a person, fresh ones where they are too old.
func (a *Access) of(u User) *decisions {
	now := time.Now()
	key := u.Key()
	a.mu.Lock()
	defer a.mu.Unlock()
	d := a.people[key]
	if d == nil || d.old(now) {
		d = newDecisions(u, now.Add(a.o.TTL))
		a.people[key] = d
	}
	d.used = now
	return d
}

func (a *Access) sweep(now time.Time) {
	var dropped []UserKey
	a.mu.Lock()
	for key, d := range a.people {
		switch {
		case now.Sub(d.used) > idleTime:
			delete(a.people, key)
		case d.old(now):
			// An empty set keeps the time of use; pages that are open ask anew.
			fresh := newDecisions(d.user, now.Add(a.o.TTL))
			fresh.used = d.used
			a.people[key] = fresh
			dropped = append(dropped, key)
		}
	}
	a.mu.Unlock()
	for _, key := range dropped {
		a.o.Dropped(key)
	}
}

package auth

import (
	"slices"
	"time"
)

// Change says whose rights may have changed and where.
type Change struct {
	// Namespace is where; empty: everywhere.
	Namespace string
	// Users and Groups are whose; both empty: everybody's.
	Users, Groups []string
}

// everyone is the group that each signed-in person belongs to.
const everyone = "system:authenticated"

// Matters tells whether the change can be about u.
func (c Change) Matters(u User) bool {
	if len(c.Users) == 0 && len(c.Groups) == 0 {
		return true
	}
	if slices.Contains(c.Users, u.Name) || slices.Contains(c.Groups, everyone) {
		return true
	}
	return slices.ContainsFunc(u.Groups, func(g string) bool { return slices.Contains(c.Groups, g) })
}

// echoes are when a dropped decision is dropped again: the authorizer learns
// of the change from its own watch and may have answered from its old state.
func echoes() []time.Duration { return []time.Duration{time.Second, 5 * time.Second, 20 * time.Second} }

// Drop forgets the decisions that the change could alter, now and again
// shortly after.
func (a *Access) Drop(c Change) {
	a.drop(c)
	for _, after := range echoes() {
		time.AfterFunc(after, func() { a.drop(c) })
	}
}

func (a *Access) drop(c Change) {
	var dropped []UserKey
	a.mu.Lock()
	for key, d := range a.people {
		if c.Matters(d.user) && d.forget(c.Namespace) {
			dropped = append(dropped, key)
		}
	}
	a.mu.Unlock()
	for _, key := range dropped {
		a.o.Dropped(key)
	}
}

// forget drops what is known about a namespace, or everything, and says
// whether there was anything.
func (d *decisions) forget(namespace string) bool {
	rules := d.rules.forget(func(ns string) bool { return namespace == "" || ns == namespace })
	reviews := d.reviews.forget(func(q Question) bool { return namespace == "" || q.Namespace == namespace })
	return rules || reviews
}

package auth

import (
	"context"
	"sync"
	"time"
)

// maxAnswers bounds what is kept about one person. Whoever makes up names of
// namespaces only makes their own decisions be asked anew.
const maxAnswers = 10_000

// decisions are all that is known about one person's rights.
type decisions struct {
	user    User
	reviews *memo[Question, bool]
	rules   *memo[string, *ruleSet] // by namespace
	used    time.Time               // guarded by Access.mu

	mu      sync.Mutex
	expires time.Time
	shared  map[string]*ruleSet // by content: most namespaces have the same rules
}

func newDecisions(u User, expires time.Time) *decisions {
	return &decisions{
		user: u, expires: expires,
		reviews: newMemo[Question, bool](maxAnswers),
		rules:   newMemo[string, *ruleSet](maxAnswers),
		shared:  map[string]*ruleSet{},
	}
}

func (d *decisions) old(now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !now.Before(d.expires)
}

// shorten makes the decisions expire at t if that is sooner.
func (d *decisions) shorten(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t.Before(d.expires) {
		d.expires = t
	}
}

// intern gives the one ruleSet with these rules.
func (d *decisions) intern(s *ruleSet) *ruleSet {
	key := s.content()
	d.mu.Lock()
	defer d.mu.Unlock()
	if known, ok := d.shared[key]; ok {
		return known
	}
	if len(d.shared) >= maxAnswers {
		clear(d.shared)
	}
	d.shared[key] = s
	return s
}

// review asks one question, once.
func (a *Access) review(ctx context.Context, d *decisions, q Question) (bool, error) {
	return d.reviews.get(ctx, q, func(ctx context.Context) (bool, error) {
		defer a.slot()()
		return a.reviewer.Review(ctx, d.user, q)
	})
}

// rules lists the person's rules in a namespace, once.
func (a *Access) rules(ctx context.Context, d *decisions, namespace string) (*ruleSet, error) {
	return d.rules.get(ctx, namespace, func(ctx context.Context) (*ruleSet, error) {
		defer a.slot()()
		rules, complete, err := a.reviewer.Rules(ctx, d.user, namespace)
		if err != nil {
			return nil, err
		}
		if !complete {
			d.shorten(time.Now().Add(incompleteTTL))
		}
		return d.intern(&ruleSet{rules: rules, complete: complete}), nil
	})
}

// slot waits for its turn and gives what ends it.
func (a *Access) slot() (release func()) {
	a.slots <- struct{}{}
	return func() { <-a.slots }
}

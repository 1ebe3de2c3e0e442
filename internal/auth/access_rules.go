package auth

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
)

// ruleSet are a person's rules in one or, being equal, many namespaces.
type ruleSet struct {
	rules    []Rule
	complete bool

	mu     sync.Mutex
	grants map[Question]grant // by verb and kind alone
}

// grant is what the rules say about one verb and kind: all objects, or these.
type grant struct {
	all   bool
	names map[string]bool
}

// grant is worked out once for each verb and kind.
func (s *ruleSet) grant(verb string, k Kind) grant {
	key := Question{Verb: verb, Kind: k}
	s.mu.Lock()
	defer s.mu.Unlock()
	if g, ok := s.grants[key]; ok {
		return g
	}
	g := grant{names: map[string]bool{}}
	for _, r := range s.rules {
		if !r.Covers(verb, k) {
			continue
		}
		if len(r.Names) == 0 {
			g.all = true
		}
		for _, n := range r.Names {
			g.names[n] = true
		}
	}
	if s.grants == nil {
		s.grants = map[Question]grant{}
	}
	s.grants[key] = g
	return g
}

// content is equal for equal rules; the authorizer lists them in no order.
func (s *ruleSet) content() string {
	lines := make([]string, 0, len(s.rules))
	for _, r := range s.rules {
		lines = append(lines, fmt.Sprintf("%q", r))
	}
	slices.Sort(lines)
	sum := sha256.Sum256(fmt.Appendf(nil, "%t%q", s.complete, lines))
	return string(sum[:])
}

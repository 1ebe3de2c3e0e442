package auth

import "context"

// Reviewer asks the management cluster's authorizer. fleet has the real one.
type Reviewer interface {
	// Review answers one question about u.
	Review(ctx context.Context, u User, q Question) (bool, error)
	// Rules lists what u may do in a namespace, cluster-wide rights included.
	// complete is false where an authorizer can't list its rules: then each
	// question needs a Review.
	Rules(ctx context.Context, u User, namespace string) (rules []Rule, complete bool, err error)
}

// Covers tells whether the rule permits verb on the kind without regard to
// its Names.
func (r Rule) Covers(verb string, k Kind) bool {
	return has(r.Verbs, verb) && has(r.Groups, k.Group) && has(r.Resources, k.Resource)
}

// has knows RBAC's star. Patterns such as "*/scale" are about subresources,
// which are asked by their whole name.
func has(list []string, want string) bool {
	for _, s := range list {
		if s == want || s == "*" {
			return true
		}
	}
	return false
}

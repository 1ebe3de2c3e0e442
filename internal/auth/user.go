// Package auth knows who somebody is and what they may do.
//
// Identity: OIDC (authorization code, PKCE, state, nonce) gives a User, which
// lives in a sealed cookie; nothing is kept on the server. Rights: Access asks
// a Reviewer (fleet's, backed by the management cluster's authorizer) and keeps
// the decisions until something that could matter changes. auth dials the
// identity provider, never Kubernetes.
package auth

// User is a person as the management cluster sees them when impersonated.
// Name and Groups carry the configured prefixes already.
type User struct {
	Subject string   // the provider's sub, without prefix
	Name    string   // with prefix: what is impersonated
	Display string   // without prefix: what pages show
	Groups  []string // with prefix
}

// Kind is a resource that rights are asked for.
type Kind struct{ Group, Resource string }

// Rule is one permission, as RBAC writes it.
type Rule struct {
	Verbs, Groups, Resources, Names []string
}

// Question is one access question. An empty Namespace means cluster-wide, an
// empty Name any object.
type Question struct {
	Verb, Namespace, Name string
	Kind                  Kind
}

package fleet

import (
	"context"
	"slices"

	authorizationv1 "k8s.io/api/authorization/v1"

	"github.com/capstan-portal/capstan/internal/auth"
)

// authenticated is the group that the API server gives everybody who signed in.
const authenticated = "system:authenticated"

// reviewer asks the management cluster's authorizer.
type reviewer struct{ clients *clients }

// Review makes a SubjectAccessReview, as the portal.
func (r reviewer) Review(ctx context.Context, u auth.User, q auth.Question) (bool, error) {
	rc, err := r.clients.own(authorizationv1.SchemeGroupVersion)
	if err != nil {
		return false, err
	}
	ask := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User:   u.Name,
		Groups: append(slices.Clone(u.Groups), authenticated),
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Verb: q.Verb, Group: q.Kind.Group, Resource: q.Kind.Resource, Namespace: q.Namespace, Name: q.Name,
		},
	}}
	var got authorizationv1.SubjectAccessReview
	if err := rc.Post().Resource("subjectaccessreviews").Body(ask).Do(ctx).Into(&got); err != nil {
		return false, asFailure(err)
	}
	return got.Status.Allowed && !got.Status.Denied, nil
}

// Rules makes a SelfSubjectRulesReview, as the person: there is none that the
// portal could make about somebody else.
func (r reviewer) Rules(ctx context.Context, u auth.User, namespace string) ([]auth.Rule, bool, error) {
	rc, err := r.clients.as(u, authorizationv1.SchemeGroupVersion)
	if err != nil {
		return nil, false, err
	}
	ask := &authorizationv1.SelfSubjectRulesReview{Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: namespace}}
	var got authorizationv1.SelfSubjectRulesReview
	if err := rc.Post().Resource("selfsubjectrulesreviews").Body(ask).Do(ctx).Into(&got); err != nil {
		return nil, false, asFailure(err)
	}
	rules := make([]auth.Rule, 0, len(got.Status.ResourceRules))
	for _, rule := range got.Status.ResourceRules {
		rules = append(rules, auth.Rule{Verbs: rule.Verbs, Groups: rule.APIGroups, Resources: rule.Resources, Names: rule.ResourceNames})
	}
	return rules, !got.Status.Incomplete, nil
}

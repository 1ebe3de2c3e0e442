package fleet

import (
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/client-go/tools/cache"

	"github.com/capstan-portal/capstan/internal/auth"
)

// grantee is what a binding says: whom it gives something and where.
type grantee struct {
	namespace string // "" everywhere
	subjects  []rbacv1.Subject
}

func granteeOf(o any) grantee {
	switch b := o.(type) {
	case *rbacv1.RoleBinding:
		return grantee{b.Namespace, b.Subjects}
	case *rbacv1.ClusterRoleBinding:
		return grantee{"", b.Subjects}
	}
	return grantee{}
}

func rulesOf(o any) []rbacv1.PolicyRule {
	switch r := o.(type) {
	case *rbacv1.Role:
		return r.Rules
	case *rbacv1.ClusterRole:
		return r.Rules
	}
	return nil
}

// changes makes a handler for RBAC objects. What is there at start changes
// nothing: nobody has asked yet.
func changes(concern func(o any), equal func(old, now any) bool) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(o any, initial bool) {
			if !initial {
				concern(o)
			}
		},
		UpdateFunc: func(old, now any) {
			if !equal(old, now) {
				concern(old)
				concern(now)
			}
		},
		DeleteFunc: func(o any) { concern(last(o)) },
	}
}

func (f *Fleet) onBinding() cache.ResourceEventHandler {
	return changes(
		func(o any) { f.drop(granteeOf(o)) },
		func(old, now any) bool {
			return equality.Semantic.DeepEqual(granteeOf(old).subjects, granteeOf(now).subjects)
		},
	)
}

// onRole concerns those whom some binding gives the role.
func (f *Fleet) onRole() cache.ResourceEventHandler {
	return changes(
		func(o any) {
			for _, g := range f.granted(o) {
				f.drop(g)
			}
		},
		func(old, now any) bool { return equality.Semantic.DeepEqual(rulesOf(old), rulesOf(now)) },
	)
}

// granted finds whom a role is given.
func (f *Fleet) granted(role any) []grantee {
	var out []grantee
	switch r := role.(type) {
	case *rbacv1.Role:
		for _, b := range indexed[*rbacv1.RoleBinding](f.cache.bindings, byRole, roleKey("Role", r.Namespace, r.Name)) {
			out = append(out, granteeOf(b))
		}
	case *rbacv1.ClusterRole:
		key := roleKey("ClusterRole", "", r.Name)
		for _, b := range indexed[*rbacv1.RoleBinding](f.cache.bindings, byRole, key) {
			out = append(out, granteeOf(b))
		}
		for _, b := range indexed[*rbacv1.ClusterRoleBinding](f.cache.clusterBindings, byRole, key) {
			out = append(out, granteeOf(b))
		}
	}
	return out
}

func (f *Fleet) drop(g grantee) {
	c := auth.Change{Namespace: g.namespace}
	for _, s := range g.subjects {
		switch s.Kind {
		case rbacv1.UserKind:
			c.Users = append(c.Users, s.Name)
		case rbacv1.GroupKind:
			c.Groups = append(c.Groups, s.Name)
		}
	}
	// ServiceAccounts never sign in: a binding for them alone concerns nobody.
	if len(c.Users)+len(c.Groups) > 0 {
		f.access.Drop(c)
	}
}

package main

import (
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func clusters() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "cluster.x-k8s.io", Version: "v1beta2", Resource: "clusters"}
}

// portalRights checks what the portal's own account may and may not do.
func portalRights(t *testing.T, r *running) {
	config := r.config(r.PortalKubeconfig)
	if _, err := objects(t, config).Resource(clusters()).List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Errorf("clusters: %v", err)
	}
	portal := clientset(t, config)
	if _, err := portal.CoreV1().Secrets("").List(t.Context(), metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("the portal reads Secrets (%v)", err)
	}
	for _, tt := range []struct {
		verb, group, resource string
		allowed               bool
	}{
		{"watch", "cluster.x-k8s.io", "machines", true},
		{"watch", "controlplane.cluster.x-k8s.io", "kubeadmcontrolplanes", true},
		{"list", "", "namespaces", true},
		{"watch", "rbac.authorization.k8s.io", "rolebindings", true},
		{"create", "", "events", true},
		{"create", "authorization.k8s.io", "subjectaccessreviews", true},
		{"impersonate", "", "users", true},
		{"impersonate", "", "groups", true},
		{"impersonate", "", "serviceaccounts", false},
		{"impersonate", "authentication.k8s.io", "userextras/scopes", false},
		{"impersonate", "authentication.k8s.io", "uids", false},
		{"patch", "cluster.x-k8s.io", "clusters", false},
		{"delete", "cluster.x-k8s.io", "clusters", false},
		{"get", "", "secrets", false},
		{"create", "rbac.authorization.k8s.io", "rolebindings", false},
		{"get", "bootstrap.cluster.x-k8s.io", "kubeadmconfigs", false},
	} {
		if got := may(t, portal, "", tt.verb, tt.group, tt.resource); got != tt.allowed {
			t.Errorf("portal may %s %s.%s: %v", tt.verb, tt.resource, tt.group, got)
		}
	}
}

// peopleRights checks the accounts' rights, asked as these people.
func peopleRights(t *testing.T, r *running) {
	teamA := r.as("oidc:team-a-dev", "oidc:team-a")
	viewer := r.as("oidc:viewer", "oidc:viewers")
	platform := r.as("oidc:platform-admin", "oidc:platform-team")
	for _, tt := range []struct {
		who                              string
		config                           *rest.Config
		namespace, verb, group, resource string
		allowed                          bool
	}{
		{"team-a", teamA, "team-a", "create", "cluster.x-k8s.io", "clusters", true},
		{"team-a", teamA, "team-a", "patch", "cluster.x-k8s.io", "machinedeployments", true},
		{"team-a", teamA, "team-a", "list", "infrastructure.cluster.x-k8s.io", "devmachines", true},
		{"team-a", teamA, "team-a", "list", "", "events", true},
		{"team-a", teamA, "team-a", "get", "", "secrets", false},
		{"team-a", teamA, "catalog", "get", "cluster.x-k8s.io", "clusterclasses", true},
		{"team-a", teamA, "catalog", "create", "cluster.x-k8s.io", "clusters", false},
		{"team-a", teamA, "team-b", "get", "cluster.x-k8s.io", "clusters", false},
		{"team-a", teamA, "", "list", "cluster.x-k8s.io", "clusters", false},
		{"viewer", viewer, "", "list", "cluster.x-k8s.io", "clusters", true},
		{"viewer", viewer, "", "list", "", "namespaces", true},
		{"viewer", viewer, "", "get", "", "secrets", false},
		{"viewer", viewer, "team-a", "patch", "cluster.x-k8s.io", "clusters", false},
		{"platform", platform, "", "delete", "cluster.x-k8s.io", "clusters", true},
		{"platform", platform, "", "update", "cluster.x-k8s.io", "clusterclasses", true},
		{"platform", platform, "", "create", "rbac.authorization.k8s.io", "clusterroles", false},
	} {
		if got := may(t, clientset(t, tt.config), tt.namespace, tt.verb, tt.group, tt.resource); got != tt.allowed {
			t.Errorf("%s may %s %s.%s in %q: %v", tt.who, tt.verb, tt.resource, tt.group, tt.namespace, got)
		}
	}
}

// may asks the API server whether the client may do something.
func may(t *testing.T, client kubernetes.Interface, namespace, verb, group, resource string) bool {
	t.Helper()
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: verb, Group: group, Resource: resource},
	}}
	answer, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(t.Context(), review, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return answer.Status.Allowed
}

// TestConstrainedImpersonation runs the overlay of deploy/ for Kubernetes 1.36.
func TestConstrainedImpersonation(t *testing.T) {
	r := start(t, "--seed=none", "--managers=false", "--constrained-impersonation")
	viewer := r.as("oidc:viewer", "oidc:viewers")
	if !may(t, clientset(t, viewer), "", "list", "cluster.x-k8s.io", "clusters") {
		t.Error("the viewer may not list clusters")
	}
	if _, err := objects(t, viewer).Resource(clusters()).List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Errorf("clusters as the viewer: %v", err)
	}
	// The person may, but the portal may not do this for anybody.
	if _, err := clientset(t, viewer).CoreV1().ConfigMaps("team-a").List(t.Context(), metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("ConfigMaps through the portal: %v", err)
	}
	node := r.as("system:node:a", "system:nodes")
	if _, err := objects(t, node).Resource(clusters()).List(t.Context(), metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("as a node: %v", err)
	}
}

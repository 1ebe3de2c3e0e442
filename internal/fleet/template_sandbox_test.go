//go:build sandbox

package fleet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// A template is read with the person's own rights; nothing of the core group is.
func TestTemplateIsReadAsThePerson(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	f := connect(t, sb)
	w.settled(t, f)
	class := topology.Ref{Namespace: w.Namespace, Name: "quick"}
	quick := catalog.Target{APIVersion: "controlplane.cluster.x-k8s.io/v1beta2", Kind: "KubeadmControlPlaneTemplate", Name: "quick"}
	w.Apply(`apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: templates, namespace: NAMESPACE}
rules: [{apiGroups: [controlplane.cluster.x-k8s.io], resources: [kubeadmcontrolplanetemplates], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: templates, namespace: NAMESPACE}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: templates}
subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: "` + w.person.Name + `"}]`)
	text, err := f.Template(t.Context(), w.person, class, quick)
	if err != nil || !strings.Contains(text, "kind: KubeadmControlPlaneTemplate") || strings.Contains(text, "managedFields") {
		t.Errorf("got %v:\n%s", err, text)
	}
	if _, err := f.Template(t.Context(), user("nobody", "none"), class, quick); fail.CodeOf(err) != fail.Forbidden {
		t.Errorf("a stranger: %v", err)
	}
	for _, other := range []catalog.Target{{APIVersion: "v1", Kind: "Secret", Name: "x"}, {APIVersion: "example.com/v1", Kind: "NoSuchTemplate", Name: "x"}} {
		if _, err := f.Template(t.Context(), w.person, class, other); fail.CodeOf(err) != fail.NotFound {
			t.Errorf("%s: %v", other.Kind, err)
		}
	}
}

// Of a class that refers to a template that isn't there, Cluster API says only
// that something went wrong with some template; reading them tells which.
func TestMissingTemplateIsFound(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	f := connect(t, sb)
	admin := user("admin", "platform-team")
	w.Grant(admin.Groups[0], "cluster-admin")
	w.Apply(`apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: lost, namespace: NAMESPACE}
spec:
  controlPlane:
    templateRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlaneTemplate, name: lost}
  infrastructure:
    templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: DevClusterTemplate, name: quick}`)
	class := topology.Ref{Namespace: w.Namespace, Name: "lost"}
	until(t, "Cluster API says that a template could not be followed", time.Minute, func() bool {
		b, err := f.Class(t.Context(), admin, class)
		return err == nil && b.Unresolved
	})
	b, err := f.Class(t.Context(), admin, class)
	if err != nil {
		t.Fatal(err)
	}
	absent := map[string]bool{}
	for _, target := range b.Composition.Templates() {
		if _, err := f.Template(t.Context(), admin, class, target); fail.CodeOf(err) == fail.NotFound {
			absent[target.Kind+" "+target.Name] = true
		}
	}
	if len(absent) != 1 || !absent["KubeadmControlPlaneTemplate lost"] {
		t.Errorf("absent: %v", absent)
	}
}

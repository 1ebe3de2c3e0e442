//go:build sandbox

package fleet_test

import (
	"strings"
	"testing"

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

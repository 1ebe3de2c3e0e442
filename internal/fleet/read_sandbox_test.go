//go:build sandbox

package fleet_test

import (
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

func TestPeopleSeeTheirOwnAlone(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	a, b := newTeam(t, sb), newTeam(t, sb)
	f := connect(t, sb)
	a.settled(t, f)
	b.settled(t, f)
	if got, want := names(t, f, a.person), []string{a.ref().String()}; !slices.Equal(got, want) {
		t.Errorf("the list of a's person has %v, want %v", got, want)
	}
	_, unreadable := f.Cluster(t.Context(), b.person, a.ref())
	_, absent := f.Cluster(t.Context(), b.person, topology.Ref{Namespace: a.Namespace, Name: "nothing"})
	wantCode(t, unreadable, fail.NotFound)
	wantCode(t, absent, fail.NotFound)
	if key(unreadable) != key(absent) {
		t.Errorf("unreadable says %q, absent %q: they must be the same", key(unreadable), key(absent))
	}
	classes, err := f.Classes(t.Context(), a.person)
	if err != nil || len(classes) != 1 || classes[0].Namespace != a.Namespace || classes[0].Clusters != 1 {
		t.Errorf("classes of a's person: %+v, %v; want the one of their namespace with 1 cluster", classes, err)
	}
	_, err = f.Scale(t.Context(), b.person, a.wish(3, 5), false)
	wantCode(t, err, fail.NotFound)
}

func TestEachKindHasItsOwnRight(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	w.Apply(`apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: one-cluster, namespace: NAMESPACE}
rules: [{apiGroups: [cluster.x-k8s.io], resources: [clusters], verbs: [get], resourceNames: [c1]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: one-cluster, namespace: NAMESPACE}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: one-cluster}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "oidc:one-NAMESPACE"}]`)
	w.Apply(pausedCluster("c2"))
	f := connect(t, sb)
	one := team{w.World, auth.User{Name: "oidc:one-" + w.Namespace}}
	one.settled(t, f)
	if got, want := names(t, f, one.person), []string{w.ref().String()}; !slices.Equal(got, want) {
		t.Errorf("with get on one name the list has %v, want %v", got, want)
	}
	c, err := f.Cluster(t.Context(), one.person, w.ref())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []topology.Kind{topology.KindMachine, topology.KindMachineDeployment, topology.KindClass, topology.KindEvent} {
		if !c.Denied[k] {
			t.Errorf("%s should be denied", k)
		}
	}
	if want := "patch clusters.cluster.x-k8s.io in " + w.Namespace; c.May.Scale || c.May.Missing != want {
		t.Errorf("rights %+v, want %q missing", c.May, want)
	}
}

func TestARightThatIsTakenAwayIsGoneSoon(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	f := connect(t, sb)
	w.settled(t, f)
	page := f.Subscribe(w.person, topology.Topic{Ref: w.ref()})
	defer page.Close()
	bindings := schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"}
	err := sb.Client.Resource(bindings).Namespace(w.Namespace).
		DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// An open page reads only when it is woken up.
	deadline := time.After(30 * time.Second)
	for {
		select {
		case <-page.Wake():
		case <-deadline:
			t.Fatal("the cluster could still be read 30 s after the right was taken away")
		}
		if _, err := f.Cluster(t.Context(), w.person, w.ref()); fail.CodeOf(err) == fail.NotFound {
			return
		}
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	f := connect(t, sb)
	w.settled(t, f)
	rights, err := f.Rights(t.Context(), w.person)
	want := auth.NamespaceRights{
		Namespace: w.Namespace, ListClusters: true, CreateClusters: true, ScaleClusters: true, DeleteClusters: true,
		ListMachines: true, ReadEvents: true, Classes: true,
	}
	if err != nil || len(rights) != 1 || rights[0] != want {
		t.Errorf("a team's rights: %+v, %v", rights, err)
	}
	admin := auth.User{Name: "oidc:platform-admin", Groups: []string{"oidc:platform-team"}}
	rights, err = f.Rights(t.Context(), admin)
	want.Namespace = ""
	if err != nil || len(rights) != 1 || rights[0] != want {
		t.Errorf("the platform team's rights: %+v, %v; want one row for everywhere", rights, err)
	}
}

func TestThePortalItselfReadsNoSecrets(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	config, err := clientcmd.BuildConfigFromFlags("", sb.PortalKubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	portal := dynamic.NewForConfigOrDie(config)
	_, err = portal.Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).List(t.Context(), metav1.ListOptions{})
	if !apierrors.IsForbidden(err) {
		t.Errorf("listing Secrets as the portal: %v, want forbidden", err)
	}
	_, err = portal.Resource(schema.GroupVersionResource{Group: "cluster.x-k8s.io", Version: "v1beta2", Resource: "clusters"}).
		Namespace("default").Patch(t.Context(), "x", "application/merge-patch+json", []byte("{}"), metav1.PatchOptions{})
	if !apierrors.IsForbidden(err) {
		t.Errorf("patching a Cluster as the portal: %v, want forbidden", err)
	}
}

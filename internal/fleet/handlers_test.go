package fleet

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/topology"
)

// offline is a Fleet whose informers don't run: tests fill the stores.
func offline(t testing.TB, reviewer auth.Reviewer) *Fleet {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	config := `{"apiVersion":"v1","kind":"Config","current-context":"c","contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],
"clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:1"}}],"users":[{"name":"u","user":{}}]}`
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := dial(Config{Kubeconfig: path})
	if err != nil {
		t.Fatal(err)
	}
	f := &Fleet{clients: c, hub: newHub(), rows: newSummaries(), access: auth.NewAccess(reviewer, auth.AccessOptions{})}
	f.link = newLink(f.hub.wakeAll)
	if f.cache, err = f.newObjects(); err != nil {
		t.Fatal(err)
	}
	f.cache.handled = nil // filled by the test
	return f
}

func put(t testing.TB, informer cache.SharedIndexInformer, objects ...any) {
	t.Helper()
	for _, o := range objects {
		if err := informer.GetStore().Add(o); err != nil {
			t.Fatal(err)
		}
	}
}

func named(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name}
}

func TestWhichClusterAnObjectConcerns(t *testing.T) {
	labelled := named("a", "m")
	labelled.Labels = map[string]string{clusterv1.ClusterNameLabel: "c1"}
	owned := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{
		"namespace": "a", "name": "cp",
		"ownerReferences": []any{map[string]any{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "name": "c1", "uid": "u"}},
	}}}
	event := func(kind, version string) *corev1.Event {
		return &corev1.Event{InvolvedObject: corev1.ObjectReference{Kind: kind, APIVersion: version, Namespace: "a", Name: "c1"}}
	}
	tests := map[string]struct {
		handler func(*Fleet) cache.ResourceEventHandler
		object  any
		want    bool
	}{
		"labelled":                {(*Fleet).onOwned, &clusterv1.Machine{ObjectMeta: labelled}, true},
		"without a label":         {(*Fleet).onOwned, &clusterv1.Machine{ObjectMeta: named("a", "m")}, false},
		"owned control plane":     {(*Fleet).onOwned, owned, true},
		"missed deletion":         {(*Fleet).onOwned, cache.DeletedFinalStateUnknown{Obj: &clusterv1.Machine{ObjectMeta: labelled}}, true},
		"event on it":             {(*Fleet).onEvent, event("Cluster", "cluster.x-k8s.io/v1beta2"), true},
		"event, older version":    {(*Fleet).onEvent, event("Cluster", "cluster.x-k8s.io/v1beta1"), true},
		"event, other's Cluster":  {(*Fleet).onEvent, event("Cluster", "provisioning.example.io/v1"), false},
		"event on something else": {(*Fleet).onEvent, event("Machine", "cluster.x-k8s.io/v1beta2"), false},
		"the cluster":             {(*Fleet).onCluster, &clusterv1.Cluster{ObjectMeta: named("a", "c1")}, true},
		"its missed deletion":     {(*Fleet).onCluster, cache.DeletedFinalStateUnknown{Obj: &clusterv1.Cluster{ObjectMeta: named("a", "c1")}}, true},
		"its class":               {(*Fleet).onClass, &clusterv1.ClusterClass{ObjectMeta: named("catalog", "plain")}, true},
		"another class":           {(*Fleet).onClass, &clusterv1.ClusterClass{ObjectMeta: named("a", "plain")}, false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			f := offline(t, nil)
			c := &clusterv1.Cluster{ObjectMeta: named("a", "c1")}
			c.Spec.Topology.ClassRef = clusterv1.ClusterClassRef{Namespace: "catalog", Name: "plain"}
			put(t, f.cache.clusters, c)
			s := f.hub.subscribe("u", []topology.Topic{{Ref: topology.Ref{Namespace: "a", Name: "c1"}}})
			tc.handler(f).OnDelete(tc.object)
			if got := woken(s); got != tc.want {
				t.Errorf("woken: %t, want %t", got, tc.want)
			}
		})
	}
}

func TestWhomARoleConcerns(t *testing.T) {
	f := offline(t, nil)
	group := func(name string) []rbacv1.Subject { return []rbacv1.Subject{{Kind: rbacv1.GroupKind, Name: name}} }
	ref := func(kind, name string) rbacv1.RoleRef { return rbacv1.RoleRef{Kind: kind, Name: name} }
	put(t, f.cache.bindings,
		&rbacv1.RoleBinding{ObjectMeta: named("a", "1"), RoleRef: ref("Role", "dev"), Subjects: group("a-dev")},
		&rbacv1.RoleBinding{ObjectMeta: named("b", "1"), RoleRef: ref("Role", "dev"), Subjects: group("b-dev")},
		&rbacv1.RoleBinding{ObjectMeta: named("b", "2"), RoleRef: ref("ClusterRole", "dev"), Subjects: group("b-all")})
	put(t, f.cache.clusterBindings,
		&rbacv1.ClusterRoleBinding{ObjectMeta: named("", "1"), RoleRef: ref("ClusterRole", "dev"), Subjects: group("all")})
	tests := map[string]struct {
		role any
		want []string
	}{
		"a Role":          {&rbacv1.Role{ObjectMeta: named("a", "dev")}, []string{"a/a-dev"}},
		"a ClusterRole":   {&rbacv1.ClusterRole{ObjectMeta: named("", "dev")}, []string{"/all", "b/b-all"}},
		"a role unbound":  {&rbacv1.Role{ObjectMeta: named("c", "dev")}, nil},
		"another's event": {&corev1.Namespace{}, nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, g := range f.granted(tc.role) {
				got = append(got, g.namespace+"/"+g.subjects[0].Name)
			}
			slices.Sort(got)
			if !slices.Equal(got, tc.want) {
				t.Errorf("concerns %v, want %v", got, tc.want)
			}
		})
	}
}

func TestARightThatChangedIsDropped(t *testing.T) {
	binding := func(group, label string) *rbacv1.RoleBinding {
		b := &rbacv1.RoleBinding{ObjectMeta: named("a", "1"), Subjects: []rbacv1.Subject{{Kind: rbacv1.GroupKind, Name: group}}}
		b.Labels = map[string]string{"l": label}
		return b
	}
	role := func(verb string) *rbacv1.ClusterRole {
		return &rbacv1.ClusterRole{ObjectMeta: named("", "dev"), Rules: []rbacv1.PolicyRule{{Verbs: []string{verb}}}}
	}
	account := binding("x", "")
	account.Subjects[0] = rbacv1.Subject{Kind: rbacv1.ServiceAccountKind, Name: "robot"}
	bindings, roles := (*Fleet).onBinding, (*Fleet).onRole
	tests := map[string]struct {
		handler func(*Fleet) cache.ResourceEventHandler
		happens func(cache.ResourceEventHandler)
		want    bool
	}{
		"given":          {bindings, func(h cache.ResourceEventHandler) { h.OnAdd(binding("dev", ""), false) }, true},
		"there at start": {bindings, func(h cache.ResourceEventHandler) { h.OnAdd(binding("dev", ""), true) }, false},
		"taken":          {bindings, func(h cache.ResourceEventHandler) { h.OnDelete(binding("dev", "")) }, true},
		"taken, missed": {bindings, func(h cache.ResourceEventHandler) {
			h.OnDelete(cache.DeletedFinalStateUnknown{Obj: binding("dev", "")})
		}, true},
		"moved to others":     {bindings, func(h cache.ResourceEventHandler) { h.OnUpdate(binding("dev", ""), binding("ops", "")) }, true},
		"labelled":            {bindings, func(h cache.ResourceEventHandler) { h.OnUpdate(binding("dev", ""), binding("dev", "x")) }, false},
		"given to others":     {bindings, func(h cache.ResourceEventHandler) { h.OnAdd(binding("ops", ""), false) }, false},
		"given to an account": {bindings, func(h cache.ResourceEventHandler) { h.OnAdd(account, false) }, false},
		"another rule":        {roles, func(h cache.ResourceEventHandler) { h.OnUpdate(role("get"), role("list")) }, true},
		"the same rules":      {roles, func(h cache.ResourceEventHandler) { h.OnUpdate(role("get"), role("get")) }, false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			listings := 0
			f := offline(t, scripted(func(string, string, string) bool { listings++; return false }))
			put(t, f.cache.clusterBindings, &rbacv1.ClusterRoleBinding{
				ObjectMeta: named("", "1"), RoleRef: rbacv1.RoleRef{Kind: "ClusterRole", Name: "dev"},
				Subjects: []rbacv1.Subject{{Kind: rbacv1.GroupKind, Name: "dev"}},
			})
			ask := func() {
				u, q := auth.User{Name: "u", Groups: []string{"dev"}}, auth.Question{Verb: "get", Kind: capiKind("clusters"), Namespace: "a"}
				if _, err := f.access.May(t.Context(), u, q); err != nil {
					t.Fatal(err)
				}
			}
			ask()
			before := listings
			tc.happens(tc.handler(f))
			ask()
			if got := listings > before; got != tc.want {
				t.Errorf("dropped: %t, want %t", got, tc.want)
			}
		})
	}
}

func TestTrim(t *testing.T) {
	c := &clusterv1.Cluster{ObjectMeta: named("a", "c1")}
	c.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "x"}}
	c.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: strings.Repeat("x", 100), "kept": "yes"}
	c.Status.Deprecated = &clusterv1.ClusterDeprecatedStatus{}
	if _, err := trim(c); err != nil {
		t.Fatal(err)
	}
	if c.ManagedFields != nil || c.Status.Deprecated != nil || len(c.Annotations) != 1 {
		t.Errorf("too much was kept: %+v", c)
	}
	cp := &unstructured.Unstructured{Object: map[string]any{
		"spec":   map[string]any{"replicas": int64(3), "kubeadmConfigSpec": map[string]any{"files": "secret"}},
		"status": map[string]any{"readyReplicas": int64(3), "deprecated": map[string]any{}},
	}}
	if _, err := trim(cp); err != nil {
		t.Fatal(err)
	}
	spec, _, _ := unstructured.NestedMap(cp.Object, "spec")
	status, _, _ := unstructured.NestedMap(cp.Object, "status")
	if len(spec) != 1 || len(status) != 1 {
		t.Errorf("of a control plane was kept: %v %v", spec, status)
	}
	if gone, err := trim(cache.DeletedFinalStateUnknown{Key: "a/c1"}); err != nil || gone == nil {
		t.Errorf("a tombstone should pass: %v %v", gone, err)
	}
}

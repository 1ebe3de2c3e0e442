//go:build sandbox

package fleet_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

func clusterResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "cluster.x-k8s.io", Version: "v1beta2", Resource: "clusters"}
}

func TestScaleWritesReplicasAlone(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	f := connect(t, sb)
	w.settled(t, f)
	before := w.Get("Cluster", "c1")
	ctx := auth.WithRequestID(t.Context(), "request-1")
	written, err := f.Scale(ctx, w.person, w.wish(3, 8), false)
	if err != nil {
		t.Fatal(err)
	}
	after := w.Get("Cluster", "c1")
	if got := w.Replicas("c1", "md-0"); got != 8 {
		t.Fatalf("replicas %d, want 8", got)
	}
	if written.ResourceVersion == before.GetResourceVersion() || written.Already {
		t.Errorf("answer %+v, want a new resourceVersion", written)
	}
	pools, _, _ := unstructured.NestedSlice(before.Object, "spec", "topology", "workers", "machineDeployments")
	pools[0].(map[string]any)["replicas"] = int64(8)
	if err := unstructured.SetNestedSlice(before.Object, pools, "spec", "topology", "workers", "machineDeployments"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before.Object["spec"], after.Object["spec"]); diff != "" {
		t.Errorf("more than replicas was written:\n%s", diff)
	}
	managers := after.GetManagedFields()
	if !slices.ContainsFunc(managers, func(m metav1.ManagedFieldsEntry) bool { return m.Manager == "capstan" }) {
		t.Error("the field manager capstan owns nothing")
	}
	wait, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if !f.Await(wait, w.ref(), written.ResourceVersion) {
		t.Error("the cache did not reach the written resourceVersion")
	}
	until(t, "the change is told on the page", 5*time.Second, func() bool {
		c, err := f.Cluster(t.Context(), w.person, w.ref())
		return err == nil && len(c.Changes) == 1 && c.Changes[0].Who == w.person.Name &&
			*c.Changes[0].From == 3 && *c.Changes[0].To == 8 && c.Changes[0].RequestID == "request-1" &&
			c.Changes[0].Generation == after.GetGeneration()
	})
	again, err := f.Scale(ctx, w.person, w.wish(3, 8), false)
	if err != nil || !again.Already {
		t.Errorf("the same form sent twice: %+v, %v; want that it stands there already", again, err)
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	f := connect(t, sb)
	w.settled(t, f)
	before := w.Get("Cluster", "c1").GetGeneration() // controllers write status meanwhile
	if _, err := f.Scale(t.Context(), w.person, w.wish(3, 8), true); err != nil {
		t.Fatal(err)
	}
	if after := w.Get("Cluster", "c1").GetGeneration(); after != before {
		t.Errorf("generation went from %d to %d", before, after)
	}
	if events := w.List("Event", ""); slices.ContainsFunc(events, func(e unstructured.Unstructured) bool {
		return e.Object["reportingComponent"] == "capstan"
	}) {
		t.Error("a dry run left an Event")
	}
}

func TestWhatCannotBeScaled(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	w.Grant("oidc:readers-"+w.Namespace, "cluster-api-reader")
	reader := auth.User{Name: "oidc:reader", Groups: []string{"oidc:readers-" + w.Namespace}}
	f := connect(t, sb)
	w.settled(t, f)
	tests := map[string]struct {
		as   auth.User
		bend func(*topology.Wish)
		want fail.Code
	}{
		"somebody changed it":    {w.person, func(w *topology.Wish) { *w.Seen = 2 }, fail.Conflict},
		"a cluster of same name": {w.person, func(w *topology.Wish) { w.UID = "other" }, fail.Conflict},
		"a pool that has gone":   {w.person, func(w *topology.Wish) { w.Pool = "md-9" }, fail.Conflict},
		"-1":                     {w.person, func(w *topology.Wish) { w.Replicas = -1 }, fail.Invalid},
		"1e9":                    {w.person, func(w *topology.Wish) { w.Replicas = 1e9 }, fail.Invalid},
		"an even control plane": {w.person, func(w *topology.Wish) {
			one := 1
			w.Kind, w.Pool, w.Seen, w.Replicas = topology.PoolControlPlane, "", &one, 2
		}, fail.Invalid},
		"without the right": {reader, func(*topology.Wish) {}, fail.Forbidden},
		"nobody":            {auth.User{}, func(*topology.Wish) {}, fail.Unauthorized},
	}
	before := w.Get("Cluster", "c1").GetGeneration() // controllers write status meanwhile
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			wish := w.wish(3, 5)
			tc.bend(&wish)
			_, err := f.Scale(t.Context(), tc.as, wish, false)
			wantCode(t, err, tc.want)
			if tc.want == fail.Forbidden && key(err) != "fleet.missing-right" {
				t.Errorf("says %q, want the missing right", key(err))
			}
		})
	}
	if after := w.Get("Cluster", "c1").GetGeneration(); after != before {
		t.Error("something was written")
	}
}

// A pool may move within the list between the person's look and their click.
func TestAPoolThatMovedIsFoundAgain(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	f := connect(t, sb)
	w.settled(t, f)
	wish := w.wish(3, 5)
	patch := `[{"op":"move","from":"/spec/topology/workers/machineDeployments/0","path":"/spec/topology/workers/machineDeployments/1"}]`
	_, err := sb.Client.Resource(clusterResource()).Namespace(w.Namespace).
		Patch(t.Context(), "c1", types.JSONPatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Scale(t.Context(), w.person, wish, false); err != nil {
		t.Fatal(err)
	}
	if got := w.Replicas("c1", "md-0"); got != 5 {
		t.Errorf("md-0 has %d, want 5", got)
	}
}

func TestFreshNamesWhoSetTheNumber(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	f := connect(t, sb)
	w.settled(t, f)
	owner, err := f.Fresh(t.Context(), w.person, w.wish(3, 5))
	if err != nil || owner.Who != "test" || *owner.Now != 3 {
		t.Errorf("owner %+v, %v; want the field manager test with 3", owner, err)
	}
	if _, err := f.Scale(t.Context(), w.person, w.wish(3, 5), false); err != nil {
		t.Fatal(err)
	}
	until(t, "the person is named", 5*time.Second, func() bool {
		owner, err := f.Fresh(t.Context(), w.person, w.wish(3, 7))
		return err == nil && owner.Who == w.person.Display && *owner.Now == 5
	})
}

// What design and patches rely on: test with null passes on an absent field
// whose parent exists, and fails where the parent is missing too.
func TestJSONPatchTestNull(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	tests := map[string]struct {
		path string
		ok   bool
	}{
		"absent field, parent there": {"/spec/topology/workers/machineDeployments/1/replicas", true},
		"absent parent":              {"/spec/topology/workers/machineDeployments/1/rollout/strategy", false},
		"field that is there":        {"/spec/topology/workers/machineDeployments/0/replicas", false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			patch, err := json.Marshal([]map[string]any{{"op": "test", "path": tc.path, "value": nil}})
			if err != nil {
				t.Fatal(err)
			}
			_, err = sb.Client.Resource(clusterResource()).Namespace(w.Namespace).
				Patch(t.Context(), "c1", types.JSONPatchType, patch, metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
			if (err == nil) != tc.ok {
				t.Errorf("test null: %v, want it to pass: %t", err, tc.ok)
			}
		})
	}
}

package topology_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

func change(c *clusterv1.Cluster, pool string, from, to *int, at time.Time) topology.Change {
	return topology.Change{UID: string(c.UID), Pool: pool, Kind: topology.PoolMachineDeployment, Who: "oidc:ana",
		From: from, To: to, At: at, RequestID: "r1", Generation: 4}
}

func TestChangeSurvivesAnEvent(t *testing.T) {
	c := twoPools()
	at := testkit.Epoch().Add(123456789 * time.Nanosecond)
	for name, want := range map[string]topology.Change{
		"both numbers":  change(c, "md-0", ptr(3), ptr(8), at),
		"was unset":     change(c, "md-0", nil, ptr(8), at),
		"down to zero":  change(c, "md-0", ptr(3), ptr(0), at),
		"no request id": {UID: "u", Kind: topology.PoolControlPlane, To: ptr(3), At: at},
	} {
		t.Run(name, func(t *testing.T) {
			e := &corev1.Event{ReportingController: topology.Component, Message: "never parsed: 3 → 99"}
			e.Annotations = topology.EventAnnotations(want)
			got, ok := topology.ChangeFrom(e)
			if !ok {
				t.Fatal("ChangeFrom found no change")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("change (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChangeFromRefuses(t *testing.T) {
	good := func() *corev1.Event {
		e := &corev1.Event{ReportingController: topology.Component}
		e.InvolvedObject.UID = "Cluster-team-a-prod"
		e.Annotations = topology.EventAnnotations(change(twoPools(), "md-0", ptr(3), ptr(8), testkit.Epoch()))
		return e
	}
	if _, ok := topology.ChangeFrom(good()); !ok {
		t.Fatal("the event that is only changed below is refused itself")
	}
	cases := map[string]func(*corev1.Event){
		"an Event of another component":     func(e *corev1.Event) { e.ReportingController = "kcp" },
		"an Event without annotations":      func(e *corev1.Event) { e.Annotations = nil },
		"an Event about another object":     func(e *corev1.Event) { e.InvolvedObject.UID = "another" },
		"a kind of pool that doesn't exist": func(e *corev1.Event) { e.Annotations["capstan.dev/pool-kind"] = "x" },
		"a number that is none":             func(e *corev1.Event) { e.Annotations["capstan.dev/to"] = "many" },
	}
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			e := good()
			spoil(e)
			if c, ok := topology.ChangeFrom(e); ok {
				t.Errorf("ChangeFrom = %+v, want none", c)
			}
		})
	}
}

func managed(manager, fields string, at time.Time) metav1.ManagedFieldsEntry {
	when := metav1.NewTime(at)
	return metav1.ManagedFieldsEntry{Manager: manager, Time: &when, FieldsV1: metav1.NewFieldsV1(fields)}
}

const md0Fields = `{"f:spec":{"f:topology":{"f:workers":{"f:machineDeployments":{"k:{\"name\":\"md-0\"}":{"f:replicas":{}}}}}}}`

func TestOwnerOf(t *testing.T) {
	at := testkit.Epoch()
	c := twoPools()
	w := wish(c, topology.PoolMachineDeployment, "md-0", ptr(2), 8)
	gone := w
	gone.Pool = "md-9"
	anew := w
	anew.UID = "another"
	ours := managed("capstan", md0Fields, at)
	other := managed("kubectl-edit", md0Fields, at.Add(time.Minute))
	elsewhere := managed("flux", `{"f:spec":{"f:topology":{"f:workers":{"f:machineDeployments":{"k:{\"name\":\"md-1\"}":{"f:replicas":{}}}}}}}`, at.Add(time.Hour))
	person := change(c, "md-0", ptr(5), ptr(3), at)
	cases := []struct {
		name    string
		fields  []metav1.ManagedFieldsEntry
		changes []topology.Change
		w       topology.Wish
		want    topology.Owner
	}{
		{"the person of the change", []metav1.ManagedFieldsEntry{ours, elsewhere}, []topology.Change{person}, w,
			topology.Owner{UID: string(c.UID), Now: ptr(3), Who: "oidc:ana", At: at}},
		{"a manager that wrote later", []metav1.ManagedFieldsEntry{other}, []topology.Change{person}, w,
			topology.Owner{UID: string(c.UID), Now: ptr(3), Who: "kubectl-edit", At: at.Add(time.Minute)}},
		{"a change to another number", []metav1.ManagedFieldsEntry{ours}, []topology.Change{change(c, "md-0", nil, ptr(9), at)}, w,
			topology.Owner{UID: string(c.UID), Now: ptr(3), Who: "capstan", At: at}},
		{"the latest of several managers", []metav1.ManagedFieldsEntry{other, ours}, nil, w,
			topology.Owner{UID: string(c.UID), Now: ptr(3), Who: "kubectl-edit", At: at.Add(time.Minute)}},
		{"nobody known", []metav1.ManagedFieldsEntry{elsewhere}, nil, w, topology.Owner{UID: string(c.UID), Now: ptr(3)}},
		{"a pool that has gone", nil, nil, gone, topology.Owner{UID: string(c.UID), Missing: true}},
		{"a cluster made anew", []metav1.ManagedFieldsEntry{ours}, nil, anew, topology.Owner{UID: string(c.UID)}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			live := c.DeepCopy()
			live.ManagedFields = tc.fields
			got := topology.OwnerOf(live, nil, tc.w, tc.changes)
			got.Setter = topology.Setter{} // see TestSetter
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("OwnerOf (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeploymentOwner(t *testing.T) {
	c := testkit.NewCluster("team-a", "hand").WithoutTopology().Build()
	md := testkit.NewDeployment(c, "", "workers", 3).Build()
	md.ManagedFields = []metav1.ManagedFieldsEntry{managed("kubectl", `{"f:spec":{"f:replicas":{}}}`, testkit.Epoch())}
	w := wish(c, topology.PoolMachineDeployment, "workers", ptr(2), 8)
	want := topology.Owner{UID: string(c.UID), Now: ptr(3), Who: "kubectl", At: testkit.Epoch(),
		Setter: topology.Setter{Manager: "kubectl", Tool: topology.ToolHand, At: testkit.Epoch()}}
	if diff := cmp.Diff(want, topology.DeploymentOwner(c, md, w, nil)); diff != "" {
		t.Errorf("DeploymentOwner (-want +got):\n%s", diff)
	}
	if got := topology.DeploymentOwner(c, nil, w, nil); !got.Missing {
		t.Errorf("DeploymentOwner without the object = %+v, want Missing", got)
	}
}

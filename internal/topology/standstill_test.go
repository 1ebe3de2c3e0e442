package topology

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// A control plane that adds its members one by one says that it is blocked all
// the while; a pool that is blocked is so at once.
func TestBlockedCountsAfterAWhileForControlPlanes(t *testing.T) {
	began := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	blockedNow := []metav1.Condition{{Type: clusterv1.ScalingUpCondition, Status: metav1.ConditionTrue,
		Message: "Scaling up from 1 to 3 replicas is blocked because:\n* waiting for control plane components to become healthy"}}
	for _, step := range []struct {
		kind  PoolKind
		after time.Duration
		want  bool
	}{
		{PoolControlPlane, 10 * time.Second, false},
		{PoolControlPlane, graceQuiet + time.Second, true},
		{PoolMachineDeployment, 10 * time.Second, true},
	} {
		tr := track{m: &mapper{c: &clusterv1.Cluster{}, now: began.Add(step.after)}, from: 1, to: 3, n: Counts{Total: 1, Ready: 1},
			s: source{kind: step.kind, conditions: blockedNow}, began: began}
		if got := tr.blockedBy() != nil; got != step.want {
			t.Errorf("%s after %s: blocked %v, want %v", step.kind, step.after, got, step.want)
		}
	}
}

func TestStepsDoNotRunBackwards(t *testing.T) {
	at := func(s int) time.Time { return time.Date(2026, 11, 30, 10, 0, s, 0, time.UTC) }
	steps := []Step{{At: at(4)}, {At: at(2)}, {}, {At: at(9)}, {At: at(7)}}
	inTime(steps)
	for i, want := range []time.Time{at(4), at(4), {}, at(9), at(9)} {
		if !steps[i].At.Equal(want) {
			t.Errorf("step %d is at %s, want %s", i, steps[i].At, want)
		}
	}
}

// v1beta1 can't tell an unset pause from none; nothing that nobody wrote may
// come out of the conversion.
func TestOlderManifestGainsNothing(t *testing.T) {
	text := "apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: a, namespace: b}\n" +
		"spec:\n  topology: {class: c, version: v1.34.2}\n"
	m, faults := ParseManifest(text)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if m.Cluster.Spec.Paused != nil {
		t.Errorf("paused is %v, nobody wrote it", *m.Cluster.Spec.Paused)
	}
}

// A pool whose machines are all ready isn't stalled because its condition is a
// moment behind; it is once that lasts, or while a machine is missing.
func TestConditionBehindFullPool(t *testing.T) {
	since := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	behind := []metav1.Condition{{Type: clusterv1.AvailableCondition, Status: metav1.ConditionFalse,
		Message: "5 available replicas, at least 6 required", LastTransitionTime: metav1.NewTime(since)}}
	for _, tc := range []struct {
		ready int
		after time.Duration
		want  StateKind
	}{
		{6, 20 * time.Second, StateHealthy},
		{6, graceQuiet + time.Second, StateStalled},
		{5, 20 * time.Second, StateStalled},
	} {
		m := &mapper{c: &clusterv1.Cluster{}, now: since.Add(tc.after)}
		n := Counts{Desired: 6, Total: 6, Ready: tc.ready, Available: 5, UpToDate: 6}
		if got := m.poolRest(source{conditions: behind}, Pool{Counts: n}).Kind; got != tc.want {
			t.Errorf("%d of 6 ready after %s: %s, want %s", tc.ready, tc.after, got, tc.want)
		}
	}
}

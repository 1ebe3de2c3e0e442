package catalog

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

func TestNewClass(t *testing.T) {
	born := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	cc := &clusterv1.ClusterClass{
		ObjectMeta: metav1.ObjectMeta{Namespace: "catalog", Name: "rich", UID: "u1", Generation: 2,
			CreationTimestamp: metav1.NewTime(born)},
		Spec: clusterv1.ClusterClassSpec{
			Infrastructure: clusterv1.InfrastructureClass{TemplateRef: clusterv1.ClusterClassTemplateReference{Kind: "DevClusterTemplate"}},
			ControlPlane:   clusterv1.ControlPlaneClass{TemplateRef: clusterv1.ClusterClassTemplateReference{Kind: "KubeadmControlPlaneTemplate"}},
			Workers: clusterv1.WorkersClass{
				MachineDeployments: []clusterv1.MachineDeploymentClass{{Class: "default"}, {Class: "big"}},
				MachinePools:       []clusterv1.MachinePoolClass{{Class: "pooled"}},
			},
			KubernetesVersions: []string{"v1.34.0", "v1.35.0"},
		},
		Status: clusterv1.ClusterClassStatus{
			ObservedGeneration: 2,
			Variables:          []clusterv1.ClusterClassStatusVariable{{Name: "a"}, {Name: "b"}},
			Conditions:         []metav1.Condition{{Type: clusterv1.ClusterClassVariablesReadyCondition, Status: metav1.ConditionTrue}},
		},
	}
	want := Class{
		Namespace: "catalog", Name: "rich", UID: "u1", Created: born,
		Infrastructure: "DevCluster", ControlPlane: "KubeadmControlPlane",
		Workers: []string{"default", "big", "pooled"}, Variables: 2,
		Versions: []string{"v1.34.0", "v1.35.0"}, Ready: true,
	}
	if diff := cmp.Diff(want, NewClass(cc)); diff != "" {
		t.Errorf("NewClass (-want +got):\n%s", diff)
	}
}

func TestNewClassReady(t *testing.T) {
	ready := func(status metav1.ConditionStatus) []metav1.Condition {
		return []metav1.Condition{{Type: clusterv1.ClusterClassVariablesReadyCondition, Status: status}}
	}
	cases := []struct {
		name       string
		observed   int64
		conditions []metav1.Condition
		want       bool
	}{
		{"reconciled", 3, ready(metav1.ConditionTrue), true},
		{"unknown counts, as for the webhook", 3, ready(metav1.ConditionUnknown), true},
		{"generation behind", 2, ready(metav1.ConditionTrue), false},
		{"discovery failed", 3, ready(metav1.ConditionFalse), false},
		{"no condition yet", 3, nil, false},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			cc := &clusterv1.ClusterClass{ObjectMeta: metav1.ObjectMeta{Generation: 3}}
			cc.Status.ObservedGeneration, cc.Status.Conditions = tc.observed, tc.conditions
			if got := NewClass(cc).Ready; got != tc.want {
				t.Errorf("Ready = %v, want %v", got, tc.want)
			}
		})
	}
}

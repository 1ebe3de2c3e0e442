package catalog

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/message"
)

func TestComposition(t *testing.T) {
	c := NewComposition(classFrom(t, "every.yaml"))
	if diff := cmp.Diff([]string{"v1.33.0", "v1.34.0", "v1.35.0"}, c.Versions); diff != "" {
		t.Error(diff)
	}
	small := c.Worker("small", WorkerDeployment)
	drain := 30 * time.Second
	startup := 10 * time.Minute
	want := WorkerClass{
		Class: "small", Kind: WorkerDeployment, FailureDomains: []string{"a"},
		Rollout: Rollout{"RollingUpdate", "10%", "1"},
		Part: Part{
			Templates: []Target{
				{RoleBootstrap, WorkerDeployment, "small", "bootstrap.cluster.x-k8s.io/v1beta2", "KubeadmConfigTemplate", "every"},
				{RoleWorkerMachine, WorkerDeployment, "small", "infrastructure.cluster.x-k8s.io/v1beta2", "DevMachineTemplate", "every-small"},
			},
			Annotations: map[string]string{"cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size": "1"},
			Deletion:    Deletion{Order: "Oldest"},
			Taints:      []string{"example.com/gpu=yes:NoSchedule"},
			MinReady:    5 * time.Second,
			HealthCheck: &HealthCheck{NodeStartup: &startup, MaxInFlight: "20%", Remediation: "RebootTemplate reboot"},
		},
	}
	if diff := cmp.Diff(&want, small); diff != "" {
		t.Error(diff)
	}
	wantCP := Part{
		Templates: []Target{
			{Role: RoleControlPlane, APIVersion: "controlplane.cluster.x-k8s.io/v1beta2", Kind: "KubeadmControlPlaneTemplate", Name: "every"},
			{Role: RoleControlPlaneMachine, APIVersion: "infrastructure.cluster.x-k8s.io/v1beta2", Kind: "DevMachineTemplate", Name: "every-cp"},
		},
		Labels: map[string]string{"tier": "control"}, Annotations: map[string]string{"note": "kept"},
		Deletion:       Deletion{Drain: &drain},
		ReadinessGates: []string{"example.com/Ready"},
		HealthCheck: &HealthCheck{NodeStartup: &startup, OnlyIfAtMost: "33%", Unhealthy: []Unhealthy{
			{"Node", "Ready", "Unknown", 5 * time.Minute}, {"Machine", "example.com/Disk", "False", time.Minute},
		}},
	}
	if diff := cmp.Diff(wantCP, c.ControlPlane); diff != "" {
		t.Error(diff)
	}
	if pool := c.Worker("spot", WorkerPool); pool == nil || len(pool.Templates) != 2 || len(pool.FailureDomains) != 2 {
		t.Errorf("got %+v", pool)
	}
}

func TestProblemsOfAClass(t *testing.T) {
	conflict := true
	condition := func(kind string, status metav1.ConditionStatus) metav1.Condition {
		return metav1.Condition{Type: kind, Status: status, Message: "words"}
	}
	fail := func(cc *clusterv1.ClusterClass, told int64) {
		failed := condition(clusterv1.ClusterClassVariablesReadyCondition, metav1.ConditionFalse)
		failed.ObservedGeneration = told
		cc.Status.ObservedGeneration, cc.Status.Conditions = cc.Generation-1, []metav1.Condition{failed}
	}
	ready := condition(clusterv1.ClusterClassVariablesReadyCondition, metav1.ConditionTrue)
	for name, tc := range map[string]struct {
		change func(*clusterv1.ClusterClass)
		want   message.Key
		more   int // problems that follow
	}{
		"none":   {func(*clusterv1.ClusterClass) {}, "", 0},
		"behind": {func(cc *clusterv1.ClusterClass) { cc.Status.ObservedGeneration = 2 }, "catalog.problem.behind", 0},
		"new":    {func(cc *clusterv1.ClusterClass) { cc.Status.Conditions = nil }, "catalog.problem.behind", 0},
		"conflict": {func(cc *clusterv1.ClusterClass) {
			cc.Status.Variables = []clusterv1.ClusterClassStatusVariable{{Name: "x", DefinitionsConflict: &conflict}}
		}, "catalog.problem.conflict", 0},
		// As Cluster API leaves a class behind whose discovery fails: the generation
		// stays unobserved. That is no second problem.
		"conflict, told by the controller": {func(cc *clusterv1.ClusterClass) {
			cc.Status.Variables = []clusterv1.ClusterClassStatusVariable{{Name: "x", DefinitionsConflict: &conflict}}
			fail(cc, cc.Generation)
		}, "catalog.problem.conflict", 0},
		"discovery":        {func(cc *clusterv1.ClusterClass) { fail(cc, cc.Generation) }, "catalog.problem.variables", 0},
		"mended meanwhile": {func(cc *clusterv1.ClusterClass) { fail(cc, cc.Generation-1) }, "catalog.problem.behind", 1},
		"variables": {func(cc *clusterv1.ClusterClass) {
			cc.Status.Conditions = []metav1.Condition{condition(clusterv1.ClusterClassVariablesReadyCondition, metav1.ConditionFalse)}
		}, "catalog.problem.variables", 0},
		"newer templates": {func(cc *clusterv1.ClusterClass) {
			cc.Status.Conditions = append(cc.Status.Conditions, condition(clusterv1.ClusterClassRefVersionsUpToDateCondition, metav1.ConditionFalse))
		}, "catalog.problem.newer", 0},
		"unknown templates": {func(cc *clusterv1.ClusterClass) {
			cc.Status.Conditions = append(cc.Status.Conditions, condition(clusterv1.ClusterClassRefVersionsUpToDateCondition, metav1.ConditionUnknown))
		}, "catalog.problem.templates", 0},
	} {
		t.Run(name, func(t *testing.T) {
			cc := classFrom(t, "every.yaml")
			cc.Status.ObservedGeneration = cc.Generation
			cc.Status.Conditions = []metav1.Condition{ready}
			tc.change(cc)
			got := Problems(cc)
			if tc.want == "" && len(got) == 0 {
				return
			}
			if len(got) != tc.more+1 || got[0].Text.Key != tc.want {
				t.Errorf("got %+v, want %s", got, tc.want)
			}
		})
	}
}

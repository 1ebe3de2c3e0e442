package topology_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// steps writes a progress as "key state done/total" lines.
func steps(p *topology.Progress) []string {
	if p == nil {
		return nil
	}
	var out []string
	for _, s := range p.Steps {
		line := fmt.Sprintf("%s %s", s.Text.Key, s.State)
		if s.Total > 0 {
			line += fmt.Sprintf(" %d/%d", s.Done, s.Total)
		}
		out = append(out, line)
	}
	return out
}

func TestProgressSteps(t *testing.T) {
	at := testkit.Epoch().Add(time.Minute)
	now := at.Add(30 * time.Second)
	old := ready("a", "b", "c")
	late := machine
	cases := []struct {
		name     string
		replicas int32
		change   topology.Change
		edit     func(*topology.Objects)
		machines []*clusterv1.Machine
		want     []string
		ended    bool
	}{
		{"just written", 5, change(twoPools(), "md-0", ptr(3), ptr(5), at), func(o *topology.Objects) {
			three := int32(3)
			o.MachineDeployments[0].Spec.Replicas = &three
		}, old, []string{"step.spec done", "step.topology running", "step.deployment waiting",
			"step.created waiting 0/2", "step.booted waiting 0/2", "step.ready waiting 0/2"}, false},
		{"handed down, not yet seen", 5, change(twoPools(), "md-0", ptr(3), ptr(5), at), func(o *topology.Objects) {
			o.MachineDeployments[0].Generation = 2
		}, old, []string{"step.spec done", "step.topology done", "step.deployment running",
			"step.created waiting 0/2", "step.booted waiting 0/2", "step.ready waiting 0/2"}, false},
		{"one created", 5, change(twoPools(), "md-0", ptr(3), ptr(5), at), nil,
			append(ready("a", "b", "c"), late("d").Starting(at, "waiting").Build()),
			[]string{"step.spec done", "step.topology done", "step.deployment done",
				"step.created running 1/2", "step.booted waiting 0/2", "step.ready waiting 0/2"}, false},
		{"one ready", 5, change(twoPools(), "md-0", ptr(3), ptr(5), at), nil,
			append(ready("a", "b", "c"), late("d").Ready(at, at).Build(), late("e").Starting(at, "waiting").Build()),
			[]string{"step.spec done", "step.topology done", "step.deployment done",
				"step.created done 2/2", "step.booted running 1/2", "step.ready running 1/2"}, false},
		{"all ready", 5, change(twoPools(), "md-0", ptr(3), ptr(5), at), nil,
			append(ready("a", "b", "c"), late("d").Ready(at, at).Build(), late("e").Ready(at, now).Build()),
			[]string{"step.spec done", "step.topology done", "step.deployment done",
				"step.created done 2/2", "step.booted done 2/2", "step.ready done 2/2"}, true},
		{"shrinking", 1, change(twoPools(), "md-0", ptr(3), ptr(1), at), nil,
			append(ready("a"), late("b").Deleting(at).Build()),
			[]string{"step.spec done", "step.topology done", "step.deployment done", "step.deleted running 1/2"}, false},
		{"shrunk", 1, change(twoPools(), "md-0", ptr(3), ptr(1), at), nil, ready("a"),
			[]string{"step.spec done", "step.topology done", "step.deployment done", "step.deleted done 2/2"}, true},
		{"machine sets still to follow", 5, change(twoPools(), "md-0", ptr(3), ptr(5), at), func(o *topology.Objects) {
			o.MachineSets = []*clusterv1.MachineSet{testkit.NewMachineSet(o.MachineDeployments[0], "prod-x7k2p-1", "1", 3)}
		}, old, []string{"step.spec done", "step.topology done", "step.deployment running",
			"step.created waiting 0/2", "step.booted waiting 0/2", "step.ready waiting 0/2"}, false},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			o := prod(tc.replicas, tc.machines...)
			o.Changes = []topology.Change{tc.change}
			if tc.edit != nil {
				tc.edit(&o)
			}
			p := topology.NewCluster(o, now).Pools[0].Progress
			if diff := cmp.Diff(tc.want, steps(p)); diff != "" {
				t.Fatalf("steps (-want +got):\n%s", diff)
			}
			if p.Ended.IsZero() == tc.ended || !p.Stalled.IsZero() || p.Who != "oidc:ana" || !p.Began.Equal(at) {
				t.Errorf("ended %v, stalled %q, who %q, began %v", p.Ended, p.Stalled.Key, p.Who, p.Began)
			}
		})
	}
}

func TestProgressAfterglow(t *testing.T) {
	at := testkit.Epoch().Add(time.Minute)
	o := prod(3, ready("a", "b", "c")...)
	o.Changes = []topology.Change{change(o.Cluster, "md-0", ptr(1), ptr(3), at)}
	if p := topology.NewCluster(o, at.Add(9*time.Minute)).Pools[0].Progress; p == nil || !p.Ended.Equal(at) {
		t.Errorf("9 minutes after: %+v, want it ended at %v", p, at)
	}
	if p := topology.NewCluster(o, at.Add(11*time.Minute)).Pools[0].Progress; p != nil {
		t.Errorf("11 minutes after: %+v, want none", p)
	}
	o.Changes = nil
	if p := topology.NewCluster(o, at).Pools[0].Progress; p != nil {
		t.Errorf("without a change: %+v, want none", p)
	}
}

func TestProgressWithoutAChange(t *testing.T) {
	at := testkit.Epoch().Add(time.Minute)
	o := prod(5, append(ready("a", "b", "c"), machine("d").Starting(at, "waiting").Build())...)
	other := change(o.Cluster, "md-0", ptr(1), ptr(9), at) // somebody wrote 5 over it
	o.Changes = []topology.Change{other}
	p := topology.NewCluster(o, at.Add(time.Minute)).Pools[0].Progress
	if p == nil || p.From != 3 || p.To != 5 || p.Who != "" {
		t.Fatalf("progress = %+v, want 3 → 5 by nobody known", p)
	}
	if diff := cmp.Diff("step.created running 1/2", steps(p)[3]); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}
}

func TestProgressStalled(t *testing.T) {
	at := testkit.Epoch().Add(time.Minute)
	preflight := "Scaling up from 3 to 5 replicas is blocked because:\n* MachineSet version (1.36.0) and ControlPlane version (1.35.0) do not conform"
	cases := []struct {
		name string
		edit func(*topology.Objects)
		now  time.Time
		want string // of the pool's state
		step topology.StepState
	}{
		{"paused", func(o *topology.Objects) { o.Cluster.Annotations[clusterv1.PausedAnnotation] = "" }, at.Add(time.Second), "the cluster is paused", "step.created"},
		{"preflight checks", func(o *topology.Objects) {
			ms := testkit.NewMachineSet(o.MachineDeployments[0], "prod-x7k2p-1", "1", 5)
			ms.Status.Conditions = append(ms.Status.Conditions, testkit.Condition(clusterv1.ScalingUpCondition, yes, "ScalingUp", preflight, at))
			o.MachineSets = []*clusterv1.MachineSet{ms}
		}, at.Add(time.Second), "MachineSet version (1.36.0) and ControlPlane version (1.35.0) do not conform", "step.created"},
		{"topology fails", func(o *topology.Objects) {
			three := int32(3)
			o.MachineDeployments[0].Spec.Replicas = &three
			o.Cluster.Status.Conditions = append(o.Cluster.Status.Conditions, testkit.Condition(clusterv1.ClusterTopologyReconciledCondition,
				no, clusterv1.ClusterTopologyReconciledFailedReason, "no such variable", at))
		}, at.Add(time.Second), "no such variable", "step.topology"},
		{"a machine that waits too long", func(o *topology.Objects) {
			o.Machines = append(o.Machines, machine("d").Starting(at, "* InfrastructureReady: no capacity in zone b").Build())
		}, at.Add(time.Hour), "machine d: InfrastructureReady: no capacity in zone b", "step.created"},
		{"a machine that failed", func(o *topology.Objects) {
			o.Machines = append(o.Machines, machine("d").Starting(at, "quota exceeded").Phase("Failed").Build())
		}, at.Add(time.Second), "machine d: quota exceeded", "step.created"},
		{"no capacity, as the provider says", suffers(clusterv1.InfrastructureReadyCondition, "InstanceProvisionFailed", "no capacity in zone b", at),
			at.Add(time.Second), "machine d: no capacity in zone b", "step.created"},
		{"a quota of the provider", suffers(clusterv1.InfrastructureReadyCondition, "QuotaExceeded", "vCPU limit 64 reached", at),
			at.Add(time.Second), "machine d: vCPU limit 64 reached", "step.created"},
		{"only waiting", suffers(clusterv1.InfrastructureReadyCondition, "NotReady", "instance is booting", at), at.Add(time.Second), "", ""},
		{"a health check gave a machine up", suffers(clusterv1.MachineHealthCheckSucceededCondition, "UnhealthyNode", "Node is not ready for 5m", at),
			at.Add(time.Second), "machine d: Node is not ready for 5m", "step.created"},
		{"a webhook that is down", func(o *topology.Objects) {
			three := int32(3)
			o.MachineDeployments[0].Spec.Replicas = &three
			o.Cluster.Status.Conditions = append(o.Cluster.Status.Conditions, testkit.Condition(clusterv1.ClusterTopologyReconciledCondition,
				no, clusterv1.ClusterTopologyReconciledFailedReason, "failed calling webhook \"default.machinedeployment\": connection refused", at))
		}, at.Add(time.Second), "failed calling webhook \"default.machinedeployment\": connection refused", "step.topology"},
		{"the class is not reconciled", func(o *topology.Objects) {
			three := int32(3)
			o.MachineDeployments[0].Spec.Replicas = &three
			o.Cluster.Status.Conditions = append(o.Cluster.Status.Conditions, testkit.Condition(clusterv1.ClusterTopologyReconciledCondition,
				no, clusterv1.ClusterTopologyReconciledClusterClassNotReconciledReason, "ClusterClass not reconciled", at))
		}, at.Add(time.Second), "ClusterClass not reconciled", "step.topology"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			o := prod(5, ready("a", "b", "c")...)
			o.Changes = []topology.Change{change(o.Cluster, "md-0", ptr(3), ptr(5), at)}
			tc.edit(&o)
			p := topology.NewCluster(o, tc.now).Pools[0].Progress
			if got := english(t).Say(p.Stalled); got != tc.want {
				t.Errorf("stalled = %q, want %q", got, tc.want)
			}
			for _, s := range p.Steps {
				if s.State == topology.StepStalled && topology.StepState(s.Text.Key) != tc.step {
					t.Errorf("stalled at %s, want %s", s.Text.Key, tc.step)
				}
			}
		})
	}
}

// suffers adds a machine that is not ready, with a condition that says why.
func suffers(kind, reason, text string, at time.Time) func(*topology.Objects) {
	return func(o *topology.Objects) {
		m := machine("d").Starting(at, "* Waiting").Build()
		m.Status.Conditions = append(m.Status.Conditions, testkit.Condition(kind, no, reason, text, at))
		for i := range m.Status.Conditions {
			if c := &m.Status.Conditions[i]; c.Type == kind {
				c.Reason, c.Message, c.Status = reason, text, no
			}
		}
		o.Machines = append(o.Machines, m)
	}
}

// A drain that hangs names the Pods that it waits for.
func TestDrainNamesPods(t *testing.T) {
	at := testkit.Epoch().Add(time.Minute)
	o := prod(1, ready("a")...)
	m := machine("b").Deleting(at).Build()
	drain := "Drain not completed yet (started at 2026-11-30T10:01:00Z):\n* Pod shop/cart-0: cannot evict pod as it would violate the pod's disruption budget"
	m.Status.Conditions = append(m.Status.Conditions, testkit.Condition(clusterv1.MachineDeletingCondition, yes, clusterv1.MachineDeletingDrainingNodeReason, drain, at))
	o.Machines = append(o.Machines, m)
	o.Changes = []topology.Change{change(o.Cluster, "md-0", ptr(2), ptr(1), at)}
	c := topology.NewCluster(o, at.Add(time.Hour))
	if got := c.Machines[1].Reason; got != drain {
		t.Errorf("reason %q", got)
	}
	if got, want := english(t).Say(c.Pools[0].Progress.Stalled), "machine b: Pod shop/cart-0: cannot evict pod as it would violate the pod's disruption budget"; got != want {
		t.Errorf("stalled %q, want %q", got, want)
	}
}

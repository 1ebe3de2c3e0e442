package topology_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// check is a MachineHealthCheck of the machines a, b and c that may not act.
func check(edit func(*clusterv1.MachineHealthCheck)) *clusterv1.MachineHealthCheck {
	three, one := int32(3), int32(1)
	mhc := &clusterv1.MachineHealthCheck{ObjectMeta: metav1.ObjectMeta{Name: "prod-md-0"}}
	mhc.Spec.Remediation.TriggerIf.UnhealthyLessThanOrEqualTo = &intstr.IntOrString{Type: intstr.String, StrVal: "40%"}
	mhc.Status.ExpectedMachines, mhc.Status.CurrentHealthy, mhc.Status.Targets = &three, &one, []string{"a", "b", "c"}
	mhc.Status.Conditions = []metav1.Condition{testkit.Condition("RemediationAllowed", metav1.ConditionFalse, "TooManyUnhealthy", "too many", testkit.Epoch())}
	if edit != nil {
		edit(mhc)
	}
	return mhc
}

func sick(name, message string) *clusterv1.Machine {
	return machine(name).Condition("HealthCheckSucceeded", metav1.ConditionFalse, message, testkit.Epoch()).Build()
}

func TestRemediationHeldBack(t *testing.T) {
	both := []*clusterv1.Machine{sick("c", ""), sick("b", "Node is gone"), machine("a").Build()}
	held := topology.HeldBack{Check: "prod-md-0", Unwell: 2, Expected: 3, Limit: "40%", Since: testkit.Epoch(), Sick: []topology.SickMachine{
		{Name: "b", UID: "Machine-team-a-b", Why: "Node is gone"}, {Name: "c", UID: "Machine-team-a-c", Why: "HealthCheckSucceeded"}}}
	with := func(edit func(*topology.HeldBack)) []topology.HeldBack {
		h := held
		edit(&h)
		return []topology.HeldBack{h}
	}
	cases := []struct {
		name     string
		check    *clusterv1.MachineHealthCheck
		machines []*clusterv1.Machine
		denied   topology.Kind
		want     []topology.HeldBack
	}{
		{"the sick are named", check(nil), both, "", []topology.HeldBack{held}},
		{"it acts", check(func(c *clusterv1.MachineHealthCheck) { c.Status.Conditions[0].Status = metav1.ConditionTrue }), both, "", nil},
		{"it has not looked yet", check(func(c *clusterv1.MachineHealthCheck) { c.Status.Conditions = nil }), both, "", nil},
		{"machines only have not started", check(nil), []*clusterv1.Machine{machine("a").Build()}, "", nil},
		{"a sick machine of another check", check(func(c *clusterv1.MachineHealthCheck) { c.Status.Targets = []string{"a"} }), both, "", nil},
		{"in a range", check(func(c *clusterv1.MachineHealthCheck) { c.Spec.Remediation.TriggerIf.UnhealthyInRange = "[3-5]" }), both, "",
			with(func(h *topology.HeldBack) { h.Limit, h.InRange = "[3-5]", true })},
		{"without a limit", check(func(c *clusterv1.MachineHealthCheck) { c.Spec.Remediation.TriggerIf.UnhealthyLessThanOrEqualTo = nil }), both, "",
			with(func(h *topology.HeldBack) { h.Limit = "100%" })},
		{"without counters", check(func(c *clusterv1.MachineHealthCheck) { c.Status.CurrentHealthy = nil }), both, "",
			with(func(h *topology.HeldBack) { h.Unwell = -1 })},
		{"machines may not be listed", check(nil), nil, topology.KindMachine, with(func(h *topology.HeldBack) { h.Sick = nil })},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			o := prod(3, tc.machines...)
			o.HealthChecks, o.Denied = []*clusterv1.MachineHealthCheck{tc.check}, map[topology.Kind]bool{tc.denied: true}
			got := topology.NewCluster(o, testkit.Epoch()).HeldBack
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("held back (-want +got):\n%s", diff)
			}
		})
	}
}

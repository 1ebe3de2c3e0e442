package topology

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// HeldBack is a MachineHealthCheck that finds sick machines and may replace
// none of them: too many are sick at once, which mostly has one cause that new
// machines would share (CAPI calls it short-circuited).
type HeldBack struct {
	Check string // name of the MachineHealthCheck
	// Unwell of Expected machines are sick or have not started; -1: unknown.
	Unwell, Expected int
	// Limit is up to how many unwell machines it acts, as its spec has it
	// ("40%", "2"); with InRange it is the range in which it acts ("[3-5]").
	Limit   string
	InRange bool
	// Sick are those that failed the check; empty where machines may not be
	// listed.
	Sick  []SickMachine
	Since time.Time
}

// SickMachine is a machine that its health check gave up.
type SickMachine struct {
	Name, UID string
	Why       string // CAPI's words, or its reason
}

// heldBack gives the health checks that may not act though machines are sick.
// Before its first machines have started a check may not act either, but
// nothing is wrong then.
func (m *mapper) heldBack() []HeldBack {
	var out []HeldBack
	for _, check := range byName(m.o.HealthChecks) {
		allowed := find(check.Status.Conditions, clusterv1.MachineHealthCheckRemediationAllowedCondition)
		if allowed == nil || allowed.Status != metav1.ConditionFalse {
			continue
		}
		h := HeldBack{Check: check.Name, Unwell: -1, Expected: count(check.Status.ExpectedMachines),
			Sick: m.sickOf(check), Since: allowed.LastTransitionTime.Time}
		h.Limit, h.InRange = limitOf(check)
		if well := count(check.Status.CurrentHealthy); well >= 0 && h.Expected >= well {
			h.Unwell = h.Expected - well
		}
		if len(h.Sick) > 0 || m.denied(KindMachine) && h.Unwell > 0 {
			out = append(out, h)
		}
	}
	return out
}

// sickOf are the targets of a check that failed it.
func (m *mapper) sickOf(check *clusterv1.MachineHealthCheck) []SickMachine {
	targets := map[string]bool{}
	for _, name := range check.Status.Targets {
		targets[name] = true
	}
	var out []SickMachine
	for _, machine := range byName(m.o.Machines) {
		c := find(machine.Status.Conditions, clusterv1.MachineHealthCheckSucceededCondition)
		if !targets[machine.Name] || c == nil || c.Status != metav1.ConditionFalse {
			continue
		}
		why := lead(c.Message)
		if why == "" {
			why = c.Reason
		}
		out = append(out, SickMachine{Name: machine.Name, UID: string(machine.UID), Why: why})
	}
	return out
}

// limitOf is up to where a check acts; without a limit of its own that is all
// machines (defaultMaxUnhealthy in CAPI's machinehealthcheck_controller.go).
func limitOf(check *clusterv1.MachineHealthCheck) (limit string, inRange bool) {
	trigger := check.Spec.Remediation.TriggerIf
	switch {
	case trigger.UnhealthyInRange != "":
		return trigger.UnhealthyInRange, true
	case trigger.UnhealthyLessThanOrEqualTo != nil:
		return trigger.UnhealthyLessThanOrEqualTo.String(), false
	default:
		return "100%", false
	}
}

package catalog

import (
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// HealthCheck is when machines count as sick and what is done about it.
type HealthCheck struct {
	NodeStartup *time.Duration // nil means the default of 10 minutes
	Unhealthy   []Unhealthy
	MaxInFlight string // number or percentage of machines repaired at a time; empty: no limit
	// Repairs are done only if at most so many machines are unhealthy, or a
	// number in this range, like "[3-5]"; empty: always.
	OnlyIfAtMost  string
	OnlyIfInRange string
	Remediation   string // "Kind name" of a template that repairs instead; may be empty
}

// Unhealthy is one condition that makes a machine sick after a while.
type Unhealthy struct {
	Of     string // Node or Machine
	Type   string
	Status string
	After  time.Duration
}

func controlPlaneHealthCheck(s *clusterv1.ControlPlaneClassHealthCheck) *HealthCheck {
	return &HealthCheck{
		NodeStartup:   seconds(s.Checks.NodeStartupTimeoutSeconds),
		Unhealthy:     unhealthy(s.Checks.UnhealthyNodeConditions, s.Checks.UnhealthyMachineConditions),
		OnlyIfAtMost:  intstrText(s.Remediation.TriggerIf.UnhealthyLessThanOrEqualTo),
		OnlyIfInRange: s.Remediation.TriggerIf.UnhealthyInRange,
		Remediation:   remediation(s.Remediation.TemplateRef),
	}
}

func deploymentHealthCheck(s *clusterv1.MachineDeploymentClassHealthCheck) *HealthCheck {
	return &HealthCheck{
		NodeStartup:   seconds(s.Checks.NodeStartupTimeoutSeconds),
		Unhealthy:     unhealthy(s.Checks.UnhealthyNodeConditions, s.Checks.UnhealthyMachineConditions),
		MaxInFlight:   intstrText(s.Remediation.MaxInFlight),
		OnlyIfAtMost:  intstrText(s.Remediation.TriggerIf.UnhealthyLessThanOrEqualTo),
		OnlyIfInRange: s.Remediation.TriggerIf.UnhealthyInRange,
		Remediation:   remediation(s.Remediation.TemplateRef),
	}
}

func unhealthy(nodes []clusterv1.UnhealthyNodeCondition, machines []clusterv1.UnhealthyMachineCondition) []Unhealthy {
	var out []Unhealthy
	for _, c := range nodes {
		out = append(out, Unhealthy{"Node", string(c.Type), string(c.Status), orZero(seconds(c.TimeoutSeconds))})
	}
	for _, c := range machines {
		out = append(out, Unhealthy{"Machine", c.Type, string(c.Status), orZero(seconds(c.TimeoutSeconds))})
	}
	return out
}

func remediation(ref clusterv1.MachineHealthCheckRemediationTemplateReference) string {
	if ref.Name == "" {
		return ""
	}
	return ref.Kind + " " + ref.Name
}

func deletionOf(order string, drain, detach, node *int32) Deletion {
	return Deletion{Order: order, Drain: seconds(drain), VolumeDetach: seconds(detach), NodeDelete: seconds(node)}
}

func seconds(p *int32) *time.Duration {
	if p == nil {
		return nil
	}
	d := time.Duration(*p) * time.Second
	return &d
}

func orZero(d *time.Duration) time.Duration {
	if d == nil {
		return 0
	}
	return *d
}

func intstrText(p *intstr.IntOrString) string {
	if p == nil {
		return ""
	}
	return p.String()
}

func taintsOf(taints []clusterv1.MachineTaint) []string {
	var out []string
	for _, t := range taints {
		text := t.Key
		if t.Value != "" {
			text += "=" + t.Value
		}
		out = append(out, text+":"+string(t.Effect))
	}
	return out
}

func gatesOf(gates []clusterv1.MachineReadinessGate) []string {
	var out []string
	for _, g := range gates {
		out = append(out, g.ConditionType)
	}
	return out
}

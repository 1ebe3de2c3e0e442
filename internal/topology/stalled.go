package topology

import (
	"strings"
	"time"

	"github.com/capstan-portal/capstan/internal/message"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// blocked is how CAPI writes that a MachineSet or MachineDeployment may not
// create machines (preflight checks, missing templates); it has no reason of
// its own for it (machineset_controller_status.go, machinedeployment_status.go).
const blocked = "is blocked"

// stalled says why a change does not go on; zero while it does.
func (t track) stalled() message.Text {
	if pauseOf(t.m.c).Requested {
		return message.New("why.paused")
	}
	topology := find(t.m.c.Status.Conditions, clusterv1.ClusterTopologyReconciledCondition)
	if t.m.topology && !t.copied() && topology != nil && topology.Status == metav1.ConditionFalse && hopeless(topology.Reason) {
		return words(topology)
	}
	if c := t.blockedBy(); c != nil {
		return words(c)
	}
	return t.sickMachine()
}

func hopeless(reason string) bool {
	return reason == clusterv1.ClusterTopologyReconciledFailedReason ||
		reason == clusterv1.ClusterTopologyReconciledClusterClassNotReconciledReason
}

// blockedBy is the condition that says why no machines are created. A
// KubeadmControlPlane adds its members one by one and calls itself blocked
// until the last one is healthy (controlplane/kubeadm, preflight checks): there
// it counts once nothing has come for a while.
func (t track) blockedBy() *metav1.Condition {
	if !t.grows() || t.n.Total >= t.to {
		return nil
	}
	if t.s.kind == PoolControlPlane && t.m.now.Sub(t.moved()) < graceQuiet {
		return nil
	}
	candidates := [][]metav1.Condition{t.s.conditions}
	for _, ms := range byName(t.m.o.MachineSets) {
		if ms.Labels[clusterv1.MachineDeploymentNameLabel] == t.s.object {
			candidates = append(candidates, ms.Status.Conditions)
		}
	}
	for _, conditions := range candidates {
		c := find(conditions, clusterv1.ScalingUpCondition)
		if c != nil && c.Status == metav1.ConditionTrue && strings.Contains(c.Message, blocked) {
			return c
		}
	}
	return nil
}

// moved is when the change began or its latest machine came or changed.
func (t track) moved() time.Time {
	last := t.began
	for _, m := range t.s.machines {
		for _, at := range []time.Time{m.CreationTimestamp.Time, lastMove(m.Status.Conditions)} {
			if at.After(last) {
				last = at
			}
		}
	}
	return last
}

// sickMachine names a machine that failed, or the first that has not moved for
// longer than machines take.
func (t track) sickMachine() message.Text {
	var waiting *clusterv1.Machine
	for _, m := range byName(t.s.machines) {
		ready := find(m.Status.Conditions, clusterv1.ReadyCondition)
		if sick := sickness(m); sick != nil {
			return aboutMachine(m, sick)
		}
		if (ready == nil || ready.Status != metav1.ConditionTrue) && waiting == nil {
			waiting = m
		}
	}
	grace := graceMoving
	if t.change == nil {
		grace = settling
	}
	if waiting == nil || t.m.now.Sub(t.moved()) < grace {
		return message.Text{}
	}
	return aboutMachine(waiting, reasonOf(waiting))
}

// sickness is what a machine suffers from that time alone won't heal: it has
// failed, its provider says so (no capacity, no quota), or its health check
// gave it up. Providers mirror their reasons into the Machine's conditions.
func sickness(m *clusterv1.Machine) *metav1.Condition {
	conditions := m.Status.Conditions
	if m.Status.Phase == string(clusterv1.MachinePhaseFailed) {
		if ready := find(conditions, clusterv1.ReadyCondition); ready != nil {
			return ready
		}
		return &metav1.Condition{Reason: m.Status.Phase}
	}
	for _, kind := range []string{clusterv1.InfrastructureReadyCondition, clusterv1.BootstrapConfigReadyCondition} {
		if c := find(conditions, kind); c != nil && c.Status == metav1.ConditionFalse && failedReason(c.Reason) {
			return c
		}
	}
	for _, kind := range []string{clusterv1.MachineOwnerRemediatedCondition, clusterv1.MachineHealthCheckSucceededCondition} {
		if c := find(conditions, kind); c != nil && c.Status == metav1.ConditionFalse {
			return c
		}
	}
	return nil
}

func failedReason(reason string) bool {
	for _, word := range []string{"Failed", "Error", "Insufficient", "Exceeded", "Quota", "Capacity"} {
		if strings.Contains(reason, word) {
			return true
		}
	}
	return false
}

func aboutMachine(m *clusterv1.Machine, ready *metav1.Condition) message.Text {
	return message.New("why.machine", message.Str("name", m.Name), whyOf(ready))
}

// words are the controllers' own words as a Text.
func words(c *metav1.Condition) message.Text {
	text := c.Message
	if _, after, found := strings.Cut(text, blocked); found {
		// Of "Scaling up from 3 to 8 replicas is blocked because: …" only what
		// people don't know yet.
		text = strings.TrimPrefix(strings.TrimSpace(after), "because:")
	}
	if text = lead(text); text == "" {
		text = lead(c.Message)
	}
	if text == "" {
		text = c.Reason
	}
	return message.New("why.words", message.Str("text", text))
}

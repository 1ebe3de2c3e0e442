package topology

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// AutoscalerSource is what the Cluster Autoscaler's Events name as their source.
const AutoscalerSource = "cluster-autoscaler"

// LastWord is what the Cluster Autoscaler said last about a pool.
type LastWord struct {
	Text string // its own words
	At   time.Time
	Warn bool
}

// Overhear gives each autoscaled pool the newest of the autoscaler's Events
// about its object or one of its machines. events are of c's namespace.
func Overhear(c *Cluster, events []corev1.Event) {
	poolOf := map[string]string{}
	for _, m := range c.Machines {
		poolOf[m.Name] = m.Pool
	}
	for i := range c.Pools {
		p := &c.Pools[i]
		if p.Mode != ModeAutoscaled {
			continue
		}
		for j := range events {
			e := &events[j]
			pool, machine := poolOf[e.InvolvedObject.Name]
			about := e.InvolvedObject.Kind == "Machine" && machine && pool == p.Name ||
				e.InvolvedObject.Kind == objectKinds()[p.Kind] && e.InvolvedObject.Name == p.Object
			if at := lastTime(e); about && e.Message != "" && (p.LastWord == nil || at.After(p.LastWord.At)) {
				p.LastWord = &LastWord{Text: lead(e.Message), At: at, Warn: e.Type == corev1.EventTypeWarning}
			}
		}
	}
}

func objectKinds() map[PoolKind]string {
	return map[PoolKind]string{PoolMachineDeployment: "MachineDeployment", PoolMachinePool: "MachinePool"}
}

// lastTime is when an Event happened last: Events of a kind are counted up.
func lastTime(e *corev1.Event) time.Time {
	at := eventTime(e)
	if e.LastTimestamp.After(at) {
		at = e.LastTimestamp.Time
	}
	if e.Series != nil && e.Series.LastObservedTime.After(at) {
		at = e.Series.LastObservedTime.Time
	}
	return at
}

package views

import (
	"fmt"
	"time"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

func full(n int) topology.Counts {
	return topology.Counts{Desired: n, Total: n, Ready: n, Available: n, UpToDate: n}
}

func scaling(kind topology.StateKind, key message.Key, from, to string) topology.State {
	return topology.State{Kind: kind, Text: message.New(key, message.Str("from", from), message.Str("to", to))}
}

func healthy() topology.State {
	return topology.State{Kind: topology.StateHealthy, Text: message.New("state.healthy")}
}

func storySummaries(now time.Time) []topology.Summary {
	day := 24 * time.Hour
	summary := func(i int, ns, name string, state topology.State, cp, workers topology.Counts, old time.Duration) topology.Summary {
		return topology.Summary{
			Ref: topology.Ref{Namespace: ns, Name: name}, UID: fmt.Sprintf("uid-%d", i), Class: topology.Ref{Namespace: "catalog", Name: "standard"},
			Version: "v1.34.2", Created: now.Add(-old), State: state, ControlPlane: cp, Workers: workers,
		}
	}
	unknown := topology.Counts{Desired: 3, Total: -1, Ready: -1, Available: -1, UpToDate: -1, Deleting: -1}
	rows := []topology.Summary{
		summary(1, "team-a", "edge-gateway", topology.State{Kind: topology.StateStalled, Text: message.New("state.stalled", message.Str("why", "no capacity in zone b"))}, full(3), topology.Counts{Desired: 15, Total: 15, Ready: 12, Available: 12, UpToDate: 15}, 203*day),
		summary(2, "team-a", "<em>broken</em>", topology.State{Kind: topology.StateFailed, Text: message.New("state.failed", message.Str("why", "control plane is down"))}, topology.Counts{Desired: 3, Total: 3}, topology.Counts{Desired: 2, Total: 2}, 3*day),
		summary(3, "team-a", "shop-prod", scaling(topology.StateScaleUp, "state.scale-up", "3", "8"), full(3), topology.Counts{Desired: 14, Total: 13, Ready: 11, Available: 11, UpToDate: 13, Deleting: 1}, 84*day),
		summary(4, "team-b", "ml-notebooks", scaling(topology.StateScaleDown, "state.scale-down", "6", "2"), full(3), topology.Counts{Desired: 2, Total: 2, Ready: 2, Available: 2, UpToDate: 2, Deleting: 4}, 37*day),
		summary(5, "team-b", "payments-prod", topology.State{Kind: topology.StateUpgrading, Text: message.New("state.upgrading", message.Str("version", "v1.35.0"))}, full(3), topology.Counts{Desired: 10, Total: 10, Ready: 9, Available: 9, UpToDate: 4, Deleting: 1}, 406*day),
		summary(6, "team-a", "search-dev", topology.State{Kind: topology.StateCreating, Text: message.New("state.creating")}, topology.Counts{Desired: 3, Total: 2, Ready: 1, Available: 1, UpToDate: 2}, topology.Counts{Desired: 4}, 4*time.Minute),
		summary(7, "team-b", "legacy-batch", topology.State{Kind: topology.StateDeleting, Text: message.New("state.deleting")}, full(1), topology.Counts{Deleting: 2}, 742*day),
		summary(8, "team-a", "shop-dev", topology.State{Kind: topology.StatePaused, Text: message.New("state.paused")}, full(1), full(2), 61*day),
		summary(9, "team-b", "just-seen", topology.State{Kind: topology.StateUnknown, Text: message.New("state.unknown")}, unknown, unknown, 40*time.Second),
		summary(10, "team-b", "ml-train-prod-with-a-long-name", healthy(), full(3), full(24), 152*day),
	}
	rows[7].Class = topology.Ref{}
	rows[3].Version = "v1.35.0"
	return rows
}

func storyCluster(now time.Time) topology.Cluster {
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	c := topology.Cluster{
		Summary:  storySummaries(now)[2],
		Topology: true, Endpoint: "10.20.0.11:6443", CPKind: "KubeadmControlPlane", ResourceVersion: "4711",
		CP:  topology.Pool{Kind: topology.PoolControlPlane, Name: "", Mode: topology.ModeFixed, Wish: num(3), Counts: full(3), Limit: 5, State: healthy(), Object: "shop-prod-8kd2w"},
		May: topology.Rights{Scale: true},
	}
	c.Pools = storyPools(ago)
	c.Machines = storyMachines(ago)
	c.Conditions = storyConditions(ago)
	c.Changes = []topology.Change{
		{UID: c.UID, Pool: "md-0", Kind: topology.PoolMachineDeployment, Who: "team-a-dev", From: num(3), To: num(8), At: ago(2 * time.Minute)},
		{UID: c.UID, Pool: "<em>gpu</em>", Kind: topology.PoolMachineDeployment, Who: "team-a-lead", To: num(0), At: ago(26 * time.Hour)},
	}
	return c
}

func num(n int) *int { return &n }

func storyPools(ago func(time.Duration) time.Time) []topology.Pool {
	md := topology.PoolMachineDeployment
	return []topology.Pool{
		{Name: "md-0", Class: "default-worker", Kind: md, Mode: topology.ModeFixed, Object: "shop-prod-md-0-7xk2p", Wish: num(8), Limit: 12,
			Counts: topology.Counts{Desired: 8, Total: 8, Ready: 5, Available: 5, UpToDate: 8}, State: scaling(topology.StateScaleUp, "state.scale-up", "3", "8"),
			Progress: &topology.Progress{From: 3, To: 8, Who: "team-a-dev", Began: ago(130 * time.Second), Steps: []topology.Step{
				{Text: message.New("step.spec"), State: topology.StepDone, At: ago(130 * time.Second)},
				{Text: message.New("step.topology"), State: topology.StepDone, At: ago(126 * time.Second)},
				{Text: message.New("step.created"), State: topology.StepDone, Done: 5, Total: 5, At: ago(21 * time.Second)},
				{Text: message.New("step.booted"), State: topology.StepStalled, Done: 2, Total: 5, At: ago(10 * time.Second)},
				{Text: message.New("step.ready"), State: topology.StepRunning, Done: 1, Total: 5},
			}}},
		{Name: "web", Class: "default-worker", Kind: md, Mode: topology.ModeFixed, Wish: num(3), Limit: 10, Counts: full(3), State: healthy()},
		{Name: "batch", Class: "default-worker", Kind: md, Mode: topology.ModeAutoscaled, Min: num(2), Max: num(10), Limit: 16,
			Counts: topology.Counts{Desired: 6, Total: 6, Ready: 6, Available: 6, UpToDate: 6, Deleting: 1}, State: healthy(),
			Locked: message.New("locked.autoscaled", message.Num("min", 2), message.Num("max", 10))},
		{Name: "shrinking", Class: "default-worker", Kind: md, Mode: topology.ModeFixed, Wish: num(2), Limit: 12,
			Counts: topology.Counts{Desired: 2, Total: 2, Ready: 2, Available: 2, UpToDate: 2, Deleting: 4}, State: scaling(topology.StateScaleDown, "state.scale-down", "6", "2")},
		{Name: "large", Class: "large-worker", Kind: md, Mode: topology.ModeFixed, Wish: num(240), Limit: 400,
			Counts: topology.Counts{Desired: 240, Total: 240, Ready: 212, Available: 212, UpToDate: 200}, State: topology.State{Kind: topology.StateStalled, Text: message.New("state.stalled", message.Str("why", "no capacity in zone b"))},
			Progress: &topology.Progress{From: 200, To: 240, Began: ago(41 * time.Minute), Stalled: message.New("state.stalled", message.Str("why", "no capacity in zone b"))}},
		{Name: "<em>gpu</em>", Class: "gpu-worker", Kind: md, Mode: topology.ModeFixed, Wish: num(0), Limit: 4, State: healthy()},
		{Name: "locked", Class: "default-worker", Kind: md, Mode: topology.ModeFixed, Wish: num(2), Limit: 10, Counts: full(2), State: healthy(), Locked: message.New("locked.deleting")},
		{Name: "elsewhere", Kind: topology.PoolMachinePool, Mode: topology.ModeExternal, Limit: 10, Counts: topology.Counts{Desired: -1, Total: 4, Ready: 4, Available: 4, UpToDate: 4}, State: healthy(), Locked: message.New("locked.external")},
	}
}

func storyMachines(ago func(time.Duration) time.Time) []topology.Machine {
	var all []topology.Machine
	add := func(pool, phase, reason string, n int, old time.Duration) {
		for range n {
			i := len(all)
			m := topology.Machine{
				Name: fmt.Sprintf("shop-prod-%s-7xk2p-%04x", pool, 0x7a31+i*977), UID: fmt.Sprintf("m-%d", i), Pool: pool, Phase: phase, Version: "v1.34.2",
				Zone: string(rune('a' + i%3)), Created: ago(old), Ready: phase == "Running", UpToDate: i%7 != 3, Reason: reason,
			}
			if pool == "control-plane" {
				m.Pool, m.ControlPlane = "", true
			}
			if m.Ready {
				m.Node = m.Name
			}
			all = append(all, m)
		}
	}
	add("control-plane", "Running", "", 3, 12*24*time.Hour)
	add("md-0", "Running", "", 5, 84*24*time.Hour)
	add("md-0", "Provisioned", "* NodeHealthy: Node is not ready:\n  cni plugin not initialized", 1, 2*time.Minute)
	add("md-0", "Provisioning", "Waiting for infrastructure: instance is booting", 2, 2*time.Minute)
	add("batch", "Running", "", 6, 6*24*time.Hour)
	add("batch", "Deleting", "Draining: 3 pods left", 1, 6*24*time.Hour)
	add("web", "Failed", "<em>InsufficientInstanceCapacity</em>", 1, 41*time.Minute)
	add("web", "Pending", "Waiting for the control plane", 1, 12*time.Second)
	add("web", "Unknown", "Node last seen 4 min ago", 1, time.Hour)
	return all
}

func storyConditions(ago func(time.Duration) time.Time) []topology.Condition {
	return []topology.Condition{
		{Type: "Available", Status: "True", Reason: "Available", Since: ago(80 * time.Hour), Tone: topology.ToneGood},
		{Type: "WorkerMachinesReady", Status: "False", Reason: "NotReady", Since: ago(2 * time.Minute), Tone: topology.ToneWarn,
			Message: "* Machine shop-prod-md-0-7xk2p-zx5nc:\n  * NodeHealthy: Node is not ready:\n    cni plugin not initialized\n* Machines shop-prod-md-0-7xk2p-9hwkd, shop-prod-md-0-7xk2p-r4tzq:\n  * BootstrapConfigReady, InfrastructureReady: not yet true"},
		{Type: "ScalingUp", Status: "True", Reason: "ScalingUp", Since: ago(2 * time.Minute), Tone: topology.ToneMoving, Message: "* MachineDeployment shop-prod-md-0-7xk2p: scaling up from 3 to 8 replicas"},
		{Type: "ControlPlaneAvailable", Status: "False", Reason: "Down", Since: ago(time.Minute), Tone: topology.ToneBad, Message: "etcd <em>has</em> no leader\nsecond line"},
		{Type: "Paused", Status: "False", Reason: "NotPaused", Since: ago(80 * time.Hour), Tone: topology.ToneGood},
		{Type: "Deleting", Status: "False", Since: ago(80 * time.Hour), Tone: topology.ToneNeutral},
	}
}

package views

import (
	"strings"
	"testing"

	"github.com/capstan-portal/capstan/internal/topology"
)

func TestReasonIsOneLine(t *testing.T) {
	long := strings.Repeat("x", 4000)
	for name, c := range map[string]struct {
		text, want string
		more       bool
	}{
		"a sentence":        {"instance is booting", "instance is booting", false},
		"a point":           {"* NodeHealthy: not yet", "NodeHealthy: not yet", false},
		"a head and a line": {"* NodeHealthy: Node is not ready:\n  cni plugin not initialized", "NodeHealthy: Node is not ready: cni plugin not initialized", false},
		"a list":            {"* BootstrapConfigReady: waiting\n* InfrastructureReady: no", "BootstrapConfigReady: waiting", true},
		"nested":            {"* A:\n  * B:\n    * C: broken", "C: broken", true},
		"4,000 characters":  {long, long[:reasonLimit] + "…", true},
		"only blank lines":  {"\n \n", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			var v machineView
			v.reason(c.text)
			if v.Reason != c.want || (v.Full != nil || v.Text != "") != c.more {
				t.Errorf("reason %q, more %t; want %q, %t", v.Reason, v.Full != nil || v.Text != "", c.want, c.more)
			}
		})
	}
}

func TestOutcomesAreForTheirAuthor(t *testing.T) {
	p := storyPage(t, "en", "")
	c := storyCluster(p.Now)
	c.Pools = c.Pools[:1]
	c.Pools[0].Progress = &topology.Progress{From: 3, To: 8, Who: "oidc:" + p.User, Ended: p.Now}
	if got := outcomes(p, c); len(got) != 1 || got[0].Icon != "ok" || !strings.Contains(got[0].Text, "3 → 8") {
		t.Errorf("mine: %+v", got)
	}
	c.Pools[0].Progress.Who = "oidc:another"
	if got := outcomes(p, c); got != nil {
		t.Errorf("another's: %+v", got)
	}
}

func TestChangesWithoutEvents(t *testing.T) {
	p := storyPage(t, "en", "")
	c := storyCluster(p.Now)
	c.Denied = map[topology.Kind]bool{topology.KindEvent: true}
	c.Changes = nil
	c.Pools[1].Setter = topology.Setter{Manager: "kubectl-edit", Tool: topology.ToolHand, At: p.Now}
	v := newChanges(p, c)
	if !v.Denied || len(v.Setters) != 1 || !strings.Contains(v.Setters[0].Text, "kubectl-edit") {
		t.Errorf("%+v", v)
	}
	c = storyCluster(p.Now)
	c.Changes = append(c.Changes, topology.Change{Pool: "batch", Kind: topology.PoolMachineDeployment, Who: "ana", From: num(3), Range: &topology.Range{Min: 2, Max: 6}},
		topology.Change{Pool: "batch", Kind: topology.PoolMachineDeployment, Who: "ana", To: num(4)})
	rows := newChanges(p, c).Rows
	for i, want := range map[int]string{2: "ana let the autoscaler decide for batch: 3 → 2 to 6", 3: "ana fixed batch at 4"} {
		if rows[i].Text != want {
			t.Errorf("%q, want %q", rows[i].Text, want)
		}
	}
}

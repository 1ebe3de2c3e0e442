package views

import (
	"time"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

const storyPath = "/clusters/team-a/shop-prod"

// ranges are the stories of who decides a pool's number.
func (s *stories) ranges() {
	md := topology.PoolMachineDeployment
	add := func(name string, d *Draft, edit func(c *topology.Cluster)) {
		c := storyCluster(s.p.Now)
		auto := &c.Pools[2]
		auto.Freeze, auto.Release = true, true
		auto.LastWord = &topology.LastWord{Text: "Scale-up: setting group <em>batch</em> size to 6", At: s.p.Now.Add(-4 * time.Minute)}
		c.Pools[1].Release = true
		if edit != nil {
			edit(&c)
		}
		s.add("range-"+name, "clusters", storyPath, Cluster(s.p, ClusterInput{Cluster: c, Draft: d}))
	}
	wide := &topology.Range{Min: 1, Max: 12}
	ranged := Draft{Kind: md, Pool: "batch", Switch: topology.ModeAutoscaled, Min: "1", Max: "12", Checked: s.p.Now,
		Preview: &topology.Preview{Pool: "batch", Kind: md, To: 6, Switch: topology.ModeAutoscaled, Range: wide}}
	accepted, conflict := ranged, ranged
	accepted.Accepted = true
	add("draft", &accepted, nil)
	conflict.Failure = fail.New(fail.Conflict, message.New("scale.range-changed"))
	conflict.Conflict = &Conflict{NowRange: &topology.Range{Min: 3, Max: 8}, Switch: topology.ModeAutoscaled, Range: wide, Who: "oidc:team-a-lead", At: s.p.Now.Add(-time.Minute)}
	add("conflict", &conflict, nil)
	add("refused", &Draft{Kind: md, Pool: "batch", Switch: topology.ModeAutoscaled, Min: "9", Max: "1", Failure: fail.New(fail.Invalid,
		message.New("range.order", message.Str("min", "9"), message.Str("max", "1")))}, nil)
	add("undo", nil, func(c *topology.Cluster) {
		c.Changes = append([]topology.Change{{UID: c.UID, Kind: md, Pool: "batch", Who: "team-a-dev", At: s.p.Now.Add(-time.Minute),
			Range: &topology.Range{Min: 2, Max: 10}, Before: &topology.Range{Min: 1, Max: 4}}}, c.Changes...)
	})
	add("fault", nil, func(c *topology.Cluster) {
		p := &c.Pools[2]
		p.Mode, p.Max, p.Ranged = topology.ModeExternal, nil, true
		p.Fault, p.Locked = message.New("why.range-half"), message.New("locked.autoscaled-open")
		p.State = topology.State{Kind: topology.StateStalled, Text: message.New("state.stalled", message.Sub("why", p.Fault))}
	})
	three := 3
	setter := topology.Setter{Manager: "argocd-controller", Tool: topology.ToolArgo, At: s.p.Now.Add(-time.Hour)}
	held := Draft{Kind: md, Pool: "web", Typed: "8", Preview: &topology.Preview{Pool: "web", From: &three, To: 8, Added: 5}, Accepted: true,
		Checked: s.p.Now, Owner: topology.Owner{Held: true, Setter: setter},
		Handover: topology.Handover{Command: "kubectl -n team-a patch clusters.cluster.x-k8s.io shop-prod --type=json -p '[{\"op\":\"replace\"}]'", YAML: "spec:\n  topology:\n"}}
	add("held", &held, func(c *topology.Cluster) { c.Pools[1].Setter = setter })
}

// mishaps are the stories of what goes wrong with machines and changes.
func (s *stories) mishaps() {
	c := storyCluster(s.p.Now)
	sick := []topology.SickMachine{{Name: c.Machines[4].Name, UID: c.Machines[4].UID, Why: "Node failed to report startup in 10m0s"},
		{Name: c.Machines[5].Name, UID: c.Machines[5].UID, Why: "Condition <em>Ready</em> on node is reporting status Unknown for more than 5m0s"}}
	c.HeldBack = []topology.HeldBack{{Check: "shop-prod-md-0", Unwell: 2, Expected: 3, Limit: "40%", Sick: sick, Since: s.p.Now.Add(-7 * time.Minute)}}
	s.add("cluster-sick", "clusters", storyPath, Cluster(s.p, ClusterInput{Cluster: c}))

	big := storyCluster(s.p.Now)
	big.Pools[1].Wish, big.Pools[1].Limit, big.Pools[1].Counts = num(12345), 15000, full(12345)
	ended := []topology.Outcome{
		{Ref: topology.Ref{Namespace: "team-a", Name: "edge-gateway"}, UID: "a", Kind: topology.PoolMachineDeployment, Pool: "md-0", From: 3, To: 8, Began: s.p.Now},
		{Ref: topology.Ref{Namespace: "team-b", Name: "ml-train-prod-with-a-long-name"}, UID: "b", Kind: topology.PoolControlPlane, From: 1, To: 3, Began: s.p.Now,
			Stalled: message.New("why.words", message.Str("text", "no capacity in zone b"))},
	}
	s.add("cluster-notices", "clusters", storyPath, WithNotices(s.p, Cluster(s.p, ClusterInput{Cluster: big}), ended, nil))
}

package views

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// clusterView is the page of one cluster.
type clusterView struct {
	Page
	Head       headlineView
	Pools      []poolView
	Workers    string // "11 of 14 workers ready"
	NoPools    bool
	Denied     string // which pools the person may not see; empty when all
	Pending    pendingView
	Machines   machinesView
	Conditions conditionsView
	Changes    changesView
	Say        string
}

// headlineView is the head of the page: name, state, facts, and what stands
// above everything else.
type headlineView struct {
	Page
	Name, Namespace string
	NamespaceURL    templ.SafeURL
	State           stateView
	Facts           []factView
	Age             when
	Notes           []noteView
	HeldBack        []heldBackView
	CloneURL        templ.SafeURL // empty without a class that the person may read
}

type factView struct {
	Label, Value string
	Code         bool
}

type noteView struct{ Icon, Look, Text string }

// Cluster is the page of one cluster.
func Cluster(p Page, in ClusterInput) Screen {
	v := newCluster(p, in)
	s := Screen{Title: in.Cluster.Name, Body: cluster(v)}
	add := func(id string, body templ.Component) { s.Regions = append(s.Regions, Region{ID: id, Body: body}) }
	add("head", headline(v.Head))
	add("workers", workers(v.Workers))
	for _, row := range v.Pools {
		add(row.ID, pool(row))
	}
	add("machines-count", machineCount(v.Machines.Count))
	if !v.Machines.Denied {
		add("cells", cells(v.Machines.Cells))
		for _, row := range v.Machines.Rows {
			add(row.ID, machineRow(row))
			s.Order = append(s.Order, row.ID)
		}
	}
	add("conditions", conditions(v.Conditions))
	add("activity", changes(v.Changes))
	add("say", say(v.Say))
	return s
}

func newCluster(p Page, in ClusterInput) clusterView {
	c := in.Cluster
	v := clusterView{
		Page: p, Head: newHeadline(p, in), Pending: newPending(p, in), Machines: newMachines(p, c),
		Conditions: newConditions(p, c.Conditions), Changes: newChanges(p, c), Say: announcement(p, c),
	}
	if c.CP.Kind == topology.PoolControlPlane {
		v.Pools = append(v.Pools, newPool(p, in, c.CP))
	}
	for _, pool := range c.Pools {
		v.Pools = append(v.Pools, newPool(p, in, pool))
	}
	v.NoPools = len(c.Pools) == 0
	if ready, of, known := workersReady(c); known {
		v.Workers = p.t("views.workers.ready", message.Num("n", ready), message.Num("of", of))
	}
	if !c.Topology && c.Denied[topology.KindMachineDeployment] {
		v.Denied = p.t("views.denied.pools")
	}
	return v
}

// workersReady adds up the pools, as the rows below the heading show them: the
// Cluster's own sums lag behind. While a pool shrinks more are ready than wished.
func workersReady(c topology.Cluster) (ready, of int, known bool) {
	for _, pool := range c.Pools {
		n := pool.Counts
		if n.Ready < 0 || n.Desired < 0 {
			return 0, 0, false
		}
		ready, of = ready+min(n.Ready, n.Desired), of+n.Desired
	}
	return ready, of, len(c.Pools) > 0
}

func newHeadline(p Page, in ClusterInput) headlineView {
	c := in.Cluster
	v := headlineView{
		Page: p, Name: c.Name, Namespace: c.Namespace, State: newState(p, c.State), Age: age(c.Created),
		NamespaceURL: templ.SafeURL(p.URLs.Clusters(topology.Query{Namespace: c.Namespace, Page: 1}.Values())),
	}
	fact := func(key message.Key, value string, code bool) {
		if value != "" {
			v.Facts = append(v.Facts, factView{p.t(key), value, code})
		}
	}
	fact("views.col.namespace", c.Namespace, false)
	if c.Class.Name != "" {
		fact("views.col.class", c.Class.String(), false)
	} else if !c.Topology {
		fact("views.col.class", p.t("views.noclass"), false)
	}
	fact("views.col.version", c.Version, false)
	fact("views.col.endpoint", c.Endpoint, true)
	v.Notes, v.HeldBack = newNotes(p, in), newHeldBack(p, c)
	if c.Topology && c.Class.Name != "" && !c.Denied[topology.KindClass] {
		v.CloneURL = templ.SafeURL(p.URLs.CreateFrom(c.Class) + "?" + url.Values{"from": {c.Ref.String()}}.Encode())
	}
	return v
}

func newNotes(p Page, in ClusterInput) []noteView {
	c := in.Cluster
	var notes []noteView
	if in.NotSeen {
		notes = append(notes, noteView{"recon", "note-info", p.t("views.notseen")})
	}
	if c.State.Kind == topology.StateDeleting {
		notes = append(notes, noteView{"del", "", p.t("views.deleting")})
	}
	notes = append(notes, outcomes(p, c)...)
	if c.ClassUnready {
		notes = append(notes, noteView{"stall", "", p.t("views.class.waits", message.Str("class", c.Class.String()))})
	}
	if c.Pause.Requested {
		key := message.Key("views.paused.asked")
		if c.Pause.Acknowledged {
			key = "views.paused"
		}
		notes = append(notes, noteView{"pause", "", p.t(key)})
	}
	return notes
}

// outcomes tell a person how their own changes ended: finished a while ago, or
// stuck. They come from objects, so every tab and every reload says the same.
func outcomes(p Page, c topology.Cluster) []noteView {
	var notes []noteView
	for _, pool := range append([]topology.Pool{c.CP}, c.Pools...) {
		g := pool.Progress
		if g == nil || !p.mine(g.Who) {
			continue
		}
		args := []message.Arg{message.Str("pool", p.poolName(pool.Kind, pool.Name)), message.Num("from", g.From), message.Num("to", g.To)}
		switch {
		case !g.Ended.IsZero():
			notes = append(notes, noteView{"ok", "note-ok", p.t("views.outcome.done", args...)})
		case !g.Stalled.IsZero():
			notes = append(notes, noteView{"stall", "", p.t("views.outcome.stalled", append(args, message.Sub("why", g.Stalled))...)})
		}
	}
	return notes
}

// mine tells whether the person who looks is who, with or without a prefix.
func (p Page) mine(who string) bool {
	return p.User != "" && (who == p.User || strings.HasSuffix(who, ":"+p.User))
}

// announcement is the one sentence worth reading out: the pool that is moving,
// or what the cluster's state is.
func announcement(p Page, c topology.Cluster) string {
	for _, pool := range append([]topology.Pool{c.CP}, c.Pools...) {
		g := pool.Progress
		if g == nil || pool.Counts.Ready < 0 || pool.Counts.Desired < 0 {
			continue
		}
		name := p.poolName(pool.Kind, pool.Name)
		if g.Ended.IsZero() && !g.Stalled.IsZero() {
			return p.t("views.say.stalled", message.Str("pool", name), message.Sub("why", g.Stalled))
		}
		key := message.Key("views.say.pool")
		if !g.Ended.IsZero() {
			key = "views.say.done"
		}
		return p.t(key, message.Str("pool", name), message.Str("ready", strconv.Itoa(pool.Counts.Ready)), message.Str("of", strconv.Itoa(pool.Counts.Desired)))
	}
	return p.t("views.say.state", message.Str("cluster", c.Name), message.Sub("state", c.State.Text))
}

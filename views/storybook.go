package views

import (
	"time"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// Story is a page in one state, with made-up data: for tests and pictures.
type Story struct {
	Name   string
	Page   Page
	Screen Screen
}

// Stories are the pages in every state worth looking at. p says who looks, in
// which language and colours; its Now is when it is in the stories.
func Stories(p Page) []Story {
	s := stories{p: p}
	s.lists()
	s.clusters()
	s.drafts()
	s.ranges()
	s.mishaps()
	s.others()
	s.creations()
	return s.all
}

// StoryPage is who looks at the stories: words are the catalogue's, asset gives
// the addresses of assets.
func StoryPage(words *message.Catalogue, asset func(name string) string, lang, theme string) Page {
	now := time.Now()
	return Page{
		Say: words.Printer(lang), URLs: URLs{Asset: asset}, Lang: lang, Theme: theme, User: "team-a-dev",
		Now: now, Request: "01J9ZK3Q4T", LoginURL: "/auth/login", Session: now.Add(time.Hour),
	}
}

type stories struct {
	p   Page
	all []Story
}

func (s *stories) add(name, section, path string, screen Screen) {
	p := s.p
	p.Section, p.Path = section, path
	s.all = append(s.all, Story{name, p, screen})
}

func (s *stories) lists() {
	rows := storySummaries(s.p.Now)
	l := topology.Listing{
		Query: topology.Query{Page: 1}, Rows: rows, Total: 137, Matching: 137, Pages: 3,
		Tabs:       map[string]int{"": 137, "attention": 3, "changing": 5, "paused": 1, "healthy": 128},
		Namespaces: []string{"catalog", "team-a", "team-b"}, Classes: []string{"edge", "gpu", "standard"}, Versions: []string{"v1.33.5", "v1.34.2", "v1.35.0"},
	}
	s.add("clusters", "clusters", "/", Clusters(s.p, ClustersInput{Listing: l}))
	none := topology.Listing{Query: topology.Query{Search: "<em>x</em>", Page: 1}, Total: 137, Namespaces: l.Namespaces}
	s.add("clusters-no-match", "clusters", "/?q=x", Clusters(s.p, ClustersInput{Listing: none}))
	s.add("clusters-none", "clusters", "/", Clusters(s.p, ClustersInput{Listing: topology.Listing{Query: topology.Query{Page: 1}}, Contact: "platform@example.com"}))
	classes := []catalog.Class{
		{Namespace: "catalog", Name: "standard", UID: "u-1", Description: "Clusters for most teams <em>and</em> most needs.", Infrastructure: "DevCluster", ControlPlane: "KubeadmControlPlane", Workers: []string{"default-worker", "large-worker"}, Variables: 9, Versions: []string{"v1.33.5", "v1.34.2", "v1.35.0"}, Clusters: 12, Ready: true},
		{Namespace: "catalog", Name: "plain", UID: "u-2", Infrastructure: "DevCluster", ControlPlane: "KubeadmControlPlane", Workers: []string{"worker"}, Clusters: 3, Ready: true},
		{Namespace: "catalog", Name: "<em>rich</em>", UID: "u-3", Infrastructure: "DevCluster", ControlPlane: "KubeadmControlPlane", Workers: []string{"worker"}, Variables: 21},
	}
	s.add("catalog", "catalog", "/catalog", Catalog(s.p, CatalogInput{Classes: classes}))
	s.add("catalog-none", "catalog", "/catalog", Catalog(s.p, CatalogInput{Contact: "platform@example.com"}))
}

func (s *stories) clusters() {
	c := storyCluster(s.p.Now)
	path := "/clusters/team-a/shop-prod"
	s.add("cluster", "clusters", path, Cluster(s.p, ClusterInput{Cluster: c}))
	s.add("cluster-not-seen", "clusters", path, Cluster(s.p, ClusterInput{Cluster: c, NotSeen: true}))
	look := storyCluster(s.p.Now)
	look.May = topology.Rights{Missing: "patch clusters.cluster.x-k8s.io in team-a"}
	look.Denied = map[topology.Kind]bool{topology.KindMachine: true, topology.KindEvent: true, topology.KindMachineDeployment: true}
	look.Machines, look.Changes = nil, nil
	for i := range look.Pools {
		look.Pools[i].Counts = topology.Counts{Desired: 3, Total: -1, Ready: -1, Available: -1, UpToDate: -1, Deleting: -1}
	}
	s.add("cluster-viewer", "clusters", path, Cluster(s.p, ClusterInput{Cluster: look}))
	paused := storyCluster(s.p.Now)
	paused.State = topology.State{Kind: topology.StatePaused, Text: message.New("state.paused")}
	paused.Pause = topology.Pause{Requested: true, Acknowledged: true}
	s.add("cluster-paused", "clusters", path, Cluster(s.p, ClusterInput{Cluster: paused}))
	gone := storyCluster(s.p.Now)
	gone.State = topology.State{Kind: topology.StateDeleting, Text: message.New("state.deleting")}
	for i := range gone.Pools {
		gone.Pools[i].Locked, gone.Pools[i].Progress = message.New("locked.deleting"), nil
	}
	s.add("cluster-deleting", "clusters", path, Cluster(s.p, ClusterInput{Cluster: gone}))
	lost := s.p
	lost.Lost = lost.Now.Add(-2 * time.Minute)
	s.all = append(s.all, Story{"cluster-lost", withPath(lost, path), Cluster(lost, ClusterInput{Cluster: c})})
	s.add("cluster-empty", "clusters", "/clusters/team-a/new", Cluster(s.p, ClusterInput{Cluster: topology.Cluster{
		Summary: topology.Summary{Ref: topology.Ref{Namespace: "team-a", Name: "new"}, UID: "u-new", Created: s.p.Now.Add(-9 * time.Second),
			State: topology.State{Kind: topology.StateCreating, Text: message.New("state.creating")}},
	}}))
}

func withPath(p Page, path string) Page {
	p.Path, p.Section = path, "clusters"
	return p
}

func (s *stories) drafts() {
	draft := func(name string, d Draft) {
		d.Kind, d.Checked = topology.PoolMachineDeployment, s.p.Now
		s.add("draft-"+name, "clusters", "/clusters/team-a/shop-prod", Cluster(s.p, ClusterInput{Cluster: storyCluster(s.p.Now), Draft: &d}))
	}
	three, two, six := 3, 2, 6
	up := &topology.Preview{Pool: "web", From: &three, To: 8, Added: 5}
	draft("up", Draft{Pool: "web", Typed: "8", Preview: up, Accepted: true, Warnings: []string{"this class is deprecated <em>soon</em>"}})
	half := &topology.Preview{Pool: "web", From: &three, To: 1, Removed: []string{"shop-prod-web-7xk2p-bhz4r", "shop-prod-web-7xk2p-q8w4z"}, Confirm: topology.ConfirmHalf}
	draft("half", Draft{Pool: "web", Typed: "1", Preview: half, Accepted: true})
	zero := &topology.Preview{Pool: "web", From: &three, To: 0, Removed: []string{"shop-prod-web-7xk2p-bhz4r"}, Rest: 2, Confirm: topology.ConfirmZero}
	draft("zero", Draft{Pool: "web", Typed: "0", Preview: zero, Accepted: true, Confirm: true, Failure: fail.New(fail.Invalid, message.New("views.confirm.zero"))})
	draft("text", Draft{Pool: "web", Typed: "three", Failure: fail.New(fail.Invalid, message.New("views.error.422"))})
	draft("refused", Draft{Pool: "web", Typed: "8", Preview: up, Failure: fail.New(fail.Forbidden, message.New("views.error.403"), fail.Fault{Field: "spec", Text: message.New("views.error.403.what")})})
	draft("conflict", Draft{Pool: "web", Typed: "8", Preview: up, Conflict: &Conflict{Seen: &two, Now: &six, Typed: 8, Who: "oidc:team-a-lead", At: s.p.Now.Add(-time.Minute)}})
}

func (s *stories) others() {
	user := auth.User{Name: "oidc:team-a-dev", Display: "team-a-dev", Groups: []string{"oidc:team-a", "oidc:developers"}}
	rights := []auth.NamespaceRights{
		{Namespace: "catalog", Classes: true},
		{Namespace: "team-a", ListClusters: true, CreateClusters: true, ScaleClusters: true, DeleteClusters: true, ListMachines: true, ReadEvents: true},
	}
	s.add("me", "", "/me", Me(s.p, MeInput{User: user, Rights: rights, Expires: s.p.Now.Add(8 * time.Hour)}))
	s.add("me-nobody", "", "/me", Me(s.p, MeInput{User: auth.User{Name: "oidc:x", Display: "x"}}))
	for name, status := range map[string]int{"400": 400, "401": 401, "403": 403, "404": 404, "405": 405, "409": 409, "413": 413, "422": 422, "429": 429, "500": 500, "503": 503} {
		in := ErrorInput{Status: status}
		if status == 401 {
			in.Typed, in.Action = []Typed{{"replicas", "<em>8</em>"}, {"seen", "3"}}, "/clusters/team-a/shop-prod/scale/machine-deployment/web"
		}
		s.add("error-"+name, "", "/x", Error(s.p, in))
	}
	out := s.p
	out.User = ""
	s.all = append(s.all, Story{"signed-out", out, SignedOut(out)})
}

package web

import (
	"context"
	"net/url"
	"time"

	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// How long the page after a write waits for the cache to have seen it: a person
// follows a redirect, a socket only asks whether it is there by now.
const (
	awaitPage   = 2 * time.Second
	awaitSocket = 10 * time.Millisecond
)

// cluster is the page of one cluster. Its query may hold a draft (pool, kind,
// replicas), which is shown without asking admission, or the resourceVersion
// of a write.
func (s *Server) cluster(r *request) (views.Screen, []topology.Topic, error) {
	r.page.Section = "clusters"
	ref, err := r.ref()
	if err != nil {
		return views.Screen{}, nil, err
	}
	topics := []topology.Topic{{Ref: ref}}
	notSeen := s.await(r, ref)
	cluster, err := s.Fleet.Cluster(r.ctx, r.user, ref)
	if err != nil {
		return views.Screen{}, topics, err
	}
	input := views.ClusterInput{Cluster: cluster, Draft: s.linkedDraft(r, cluster), NotSeen: notSeen}
	return views.Cluster(r.page, input), topics, nil
}

// await says whether a write that the query names has not been seen yet. It is
// asked for nothing but time, so a made-up version does no harm.
func (s *Server) await(r *request, ref topology.Ref) bool {
	written := r.query.Get("written")
	if written == "" || len(written) > 32 {
		return false
	}
	patience := awaitPage
	if r.live {
		patience = awaitSocket
	}
	ctx, cancel := context.WithTimeout(r.ctx, patience)
	defer cancel()
	return !s.Fleet.Await(ctx, ref, written)
}

// linkedDraft is the draft that the query holds, nil without one. Nothing is
// asked of admission: a link must not do work as the person who opens it.
func (s *Server) linkedDraft(r *request, cluster topology.Cluster) *views.Draft {
	pool, kind := r.query.Get("pool"), topology.PoolKind(r.query.Get("kind"))
	if pool == "" || !r.query.Has("replicas") {
		return nil
	}
	if kind == "" {
		kind = topology.PoolMachineDeployment
	}
	draft, _ := s.draft(cluster, kind, pool, r.query.Get("replicas"))
	return draft
}

// draftQuery is the query of a cluster's page that holds a draft.
func draftQuery(kind topology.PoolKind, pool, typed string) string {
	return url.Values{"kind": {string(kind)}, "pool": {pool}, "replicas": {typed}}.Encode()
}

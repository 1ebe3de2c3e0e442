package web

import (
	"cmp"
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
	q := r.query
	kind := topology.PoolKind(q.Get("kind"))
	if kind == "" {
		kind = topology.PoolMachineDeployment
	}
	change := topology.Mode(q.Get("mode"))
	if q.Get("pool") == "" || !q.Has("replicas") && change != topology.ModeAutoscaled {
		return nil
	}
	f := scaleForm{kind: kind, pool: q.Get("pool"), typed: truncate(q.Get("replicas"), 64)}
	if kind == topology.PoolControlPlane {
		f.pool = ""
	}
	if change == topology.ModeFixed || change == topology.ModeAutoscaled {
		f.change, f.min, f.max = change, truncate(q.Get("min"), 64), truncate(q.Get("max"), 64)
	}
	return s.draft(cluster, f)
}

// query is the query of a cluster's page that holds the draft.
func (f scaleForm) query() string {
	q := url.Values{"kind": {string(f.kind)}, "pool": {cmp.Or(f.pool, string(f.kind))}}
	if f.change != "" {
		q.Set("mode", string(f.change))
	}
	if f.change == topology.ModeAutoscaled {
		q.Set("min", f.min)
		q.Set("max", f.max)
	} else {
		q.Set("replicas", f.typed)
	}
	return q.Encode()
}

package web

import (
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// clusters is the list of clusters, and the home page.
func (s *Server) clusters(r *request) (views.Screen, []topology.Topic, error) {
	r.page.Section = "clusters"
	all, err := s.Fleet.Clusters(r.ctx, r.user)
	if err != nil {
		return views.Screen{}, []topology.Topic{{}}, err
	}
	listing := topology.List(all, topology.ParseQuery(r.query))
	creatable, err := s.Fleet.CreatableIn(r.ctx, r.user)
	if err != nil {
		return views.Screen{}, []topology.Topic{{}}, err
	}
	screen := views.Clusters(r.page, views.ClustersInput{Listing: listing, Contact: s.Contact, MayCreate: len(creatable) > 0})
	return screen, []topology.Topic{{}}, nil
}

package web

import (
	"slices"
	"strings"

	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// class is the page of one class. It depends on the class and on the clusters
// that use it, both of which are what lists show.
func (s *Server) class(r *request) (views.Screen, []topology.Topic, error) {
	r.page.Section = "catalog"
	topics := []topology.Topic{{}}
	ref, err := r.ref()
	if err != nil {
		return views.Screen{}, nil, err
	}
	blueprint, err := s.Fleet.Class(r.ctx, r.user, ref)
	if err != nil {
		return views.Screen{}, topics, err
	}
	users, err := s.usersOf(r, ref)
	if err != nil {
		return views.Screen{}, topics, err
	}
	creatable, err := s.Fleet.CreatableIn(r.ctx, r.user)
	if err != nil {
		return views.Screen{}, topics, err
	}
	missing, shown := s.missing(r, ref, blueprint)
	input := views.ClassInput{Blueprint: blueprint.WithMissing(missing), Missing: shown, Users: users, MayCreate: len(creatable) > 0}
	input.Template = s.template(r, ref, blueprint)
	return views.Class(r.page, input), topics, nil
}

// usersOf are the clusters of a class that the person may read, by name.
func (s *Server) usersOf(r *request, class topology.Ref) ([]topology.Summary, error) {
	all, err := s.Fleet.Clusters(r.ctx, r.user)
	if err != nil {
		return nil, err
	}
	var users []topology.Summary
	for _, c := range all {
		if c.Class == class {
			users = append(users, c)
		}
	}
	slices.SortFunc(users, func(a, b topology.Summary) int { return strings.Compare(a.Ref.String(), b.Ref.String()) })
	return users, nil
}

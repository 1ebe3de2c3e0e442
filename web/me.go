package web

import (
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// me says who somebody is and what they may do where.
func (s *Server) me(r *request) (views.Screen, []topology.Topic, error) {
	rights, err := s.Fleet.Rights(r.ctx, r.user)
	if err != nil {
		return views.Screen{}, nil, err
	}
	input := views.MeInput{User: r.user, Rights: rights, Expires: s.Limits.Ends(r.session)}
	return views.Me(r.page, input), nil, nil
}

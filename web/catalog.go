package web

import (
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// catalog is the list of classes.
func (s *Server) catalog(r *request) (views.Screen, []topology.Topic, error) {
	r.page.Section = "catalog"
	classes, err := s.Fleet.Classes(r.ctx, r.user)
	if err != nil {
		return views.Screen{}, []topology.Topic{{}}, err
	}
	search := strings.TrimSpace(r.query.Get("q"))
	input := views.CatalogInput{Classes: matching(classes, search), Search: search, Contact: s.Contact}
	return views.Catalog(r.page, input), []topology.Topic{{}}, nil
}

// matching keeps the classes that hold every word of search in their name,
// namespace, description, kinds, worker classes or versions.
func matching(classes []catalog.Class, search string) []catalog.Class {
	words := strings.Fields(strings.ToLower(search))
	if len(words) == 0 {
		return classes
	}
	var found []catalog.Class
	for _, class := range classes {
		text := append([]string{class.Namespace + "/" + class.Name, class.Description, class.Infrastructure, class.ControlPlane}, class.Workers...)
		if containsAll(strings.ToLower(strings.Join(append(text, class.Versions...), "\n")), words) {
			found = append(found, class)
		}
	}
	return found
}

func containsAll(text string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

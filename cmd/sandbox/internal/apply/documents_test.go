package apply

import (
	"strings"
	"testing"
)

func TestDocuments(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		titles   []string
		fault    string
	}{
		{name: "empty", in: "---\n---\n# only a comment\n"},
		{name: "two", in: "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: b, namespace: a}\n",
			titles: []string{"Namespace a", "Secret a/b"}},
		{name: "no kind", in: "apiVersion: v1\nmetadata: {name: a}\n", fault: "document 1 of no kind needs apiVersion, kind and metadata.name"},
		{name: "list", in: "- a\n", fault: "document 1 of list is no YAML object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			objects, err := Documents(tt.name, []byte(tt.in))
			if tt.fault != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fault) {
					t.Fatalf("error is %v, want %q", err, tt.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var titles []string
			for _, o := range objects {
				titles = append(titles, Title(o))
			}
			if strings.Join(titles, ",") != strings.Join(tt.titles, ",") {
				t.Errorf("got %q, want %q", titles, tt.titles)
			}
		})
	}
}

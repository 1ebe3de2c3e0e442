package topology_test

import (
	"strings"
	"testing"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

const small = "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: a, namespace: b}\nspec:\n  topology:\n    classRef: {name: c}\n    version: v1.34.2\n"

// pools is a list of one pool of three lines; without its first two lines, another.
func pools(field string) string {
	return "    workers:\n      machineDeployments:\n      - class: c\n        name: n\n        " + field + "\n"
}

func TestParseManifest(t *testing.T) {
	words, err := message.Load()
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		text, key string
		line      string
	}{
		"fine":              {small + "---\n# nothing\n", "", ""},
		"nothing":           {"# only a comment\n", "create.paste.empty", ""},
		"two documents":     {small + "---\nkind: Secret\n", "create.paste.many", "9"},
		"no YAML":           {"a: b\n  c: d\n", "create.paste.syntax", "2"},
		"a key twice":       {small + "    version: v2\n", "create.paste.syntax", "8"},
		"an anchor":         {"a: 1\nb: &x 1\n", "create.paste.syntax", "2"},
		"a list of aliases": {small + "    variables:\n    - {name: a, value: 1}\n    - *x\n", "create.paste.syntax", ""},
		"another kind":      {"apiVersion: v1\nkind: Secret\n", "create.paste.kind", "2"},
		"a list":            {"- a\n", "create.paste.text", "1"},
		"plain text":        {"hello", "create.paste.text", "1"},
		"no kind":           {"# x\napiVersion: v1\n", "create.paste.missing", "2"},
		"no apiVersion":     {"kind: Cluster\n", "create.paste.missing", "1"},
		"another Cluster":   {"apiVersion: other.io/v1\nkind: Cluster\n", "create.paste.kind", "2"},
		"unknown version":   {strings.Replace(small, "v1beta2", "v1alpha4", 1), "create.paste.version", "1"},
		"unknown field":     {small + "    controlPlane:\n      replica: 3\n", "create.paste.unknown", "9"},
		"wrong type":        {small + "    controlPlane:\n      replicas: three\n", "create.paste.type", "9"},
		"type in a list":    {small + pools("replicas: 1") + pools("replicas: two")[39:], "create.paste.type", "15"},
		"type in a map":     {small + pools("metadata: {labels: {a: 1}}"), "create.paste.type", "12"},
		"reads for itself":  {small + pools("rollout: {strategy: {rollingUpdate: {maxSurge: {}}}}"), "create.paste.type", ""},
		"a whole number":    {small + "    controlPlane:\n      replicas: 1.0\n", "create.paste.type", "9"},
		"variable twice":    {small + "    variables:\n    - {name: a, value: 1}\n    - {name: a, value: 2}\n", "create.paste.variable-twice", "10"},
		"override twice":    {small + pools("variables: {overrides: [{name: a, value: 1}, {name: b, value: 1}, {name: a, value: 1}]}"), "create.paste.variable-twice", "12"},
		"too many pools":    {small + "    workers:\n      machinePools: [" + strings.Repeat("{class: c},", topology.MaxPools+1) + "]\n", "create.paste.pools", "8"},
		"field of v1beta1":  {small + "    class: c\n", "create.paste.unknown", "8"},
		"no topology":       {"apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nspec:\n  paused: true\n", "create.paste.topology", "3"},
		"a name that lies":  {strings.Replace(small, "{name: c}", "{name: ../c}", 1), "create.paste.name", "5"},
		"written for older": {strings.Replace(strings.Replace(small, "v1beta2", "v1beta1", 1), "classRef: {name: c}", "class: c", 1), "", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m, faults := topology.ParseManifest(c.text)
			if c.key == "" {
				if len(faults) > 0 || m.Class != (topology.Ref{Namespace: "b", Name: "c"}) {
					t.Errorf("class %v, faults %+v", m.Class, faults)
				}
				return
			}
			if len(faults) != 1 || string(faults[0].Text.Key) != c.key {
				t.Fatalf("got %+v", faults)
			}
			if said := words.Printer("en").Say(faults[0].Text); c.line != "" && !strings.HasPrefix(said, "Line "+c.line+":") {
				t.Errorf("said %q", said)
			}
		})
	}
}

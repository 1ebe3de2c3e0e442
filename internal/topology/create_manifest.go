package topology

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"

	apivalidation "k8s.io/apimachinery/pkg/util/validation"
	clusterv1beta1 "sigs.k8s.io/cluster-api/api/core/v1beta1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	kjson "sigs.k8s.io/json"
)

// InputManifest is the input that a manifest is pasted into.
const InputManifest = "manifest"

// Manifest is a Cluster that somebody wrote down.
type Manifest struct {
	Cluster *clusterv1.Cluster
	Older   bool // it was written for v1beta1, and converted
	Class   Ref  // without a namespace where the manifest names none
}

// ParseManifest reads a pasted Cluster strictly: one document, every field known,
// built from a class. The faults name the lines.
func ParseManifest(text string) (Manifest, []fail.Fault) {
	doc, bad := catalog.ReadYAML(text)
	if bad != nil {
		return Manifest{}, []fail.Fault{yamlFault(bad)}
	}
	head, wrong := headOf(doc)
	if wrong != nil {
		return Manifest{}, []fail.Fault{*wrong}
	}
	m := Manifest{Cluster: &clusterv1.Cluster{}}
	var faults []fail.Fault
	switch head {
	case clusterv1.GroupVersion.String():
		faults = readStrict(doc, m.Cluster)
	case clusterv1beta1.GroupVersion.String():
		older := &clusterv1beta1.Cluster{}
		faults, m.Older = readStrict(doc, older), true
		if err := clusterv1beta1.Convert_v1beta1_Cluster_To_v1beta2_Cluster(older, m.Cluster, nil); err != nil {
			faults = append(faults, pasted("create.paste.syntax", 1, message.Str("words", err.Error())))
		}
		if !older.Spec.Paused {
			m.Cluster.Spec.Paused = nil // false is what v1beta1 says by silence
		}
	default:
		faults = []fail.Fault{pasted("create.paste.version", doc.Line("apiVersion"), message.Str("version", clip(head, 60)))}
	}
	if len(faults) > 0 {
		return m, faults
	}
	return m.withClass(doc)
}

// headOf is the apiVersion of a Cluster, or why it is none.
func headOf(doc catalog.YAMLDocument) (string, *fail.Fault) {
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	wrong := func(key message.Key, at string, args ...message.Arg) (string, *fail.Fault) {
		f := pasted(key, doc.Line(at), args...)
		return "", &f
	}
	if !doc.Mapping() {
		return wrong("create.paste.text", "")
	}
	// Texts of another type are as good as none.
	_ = json.Unmarshal(doc.JSON, &head)
	switch {
	case head.Kind == "":
		return wrong("create.paste.missing", "", message.Str("field", "kind"))
	case head.APIVersion == "":
		return wrong("create.paste.missing", "", message.Str("field", "apiVersion"))
	case head.Kind != clusterv1.ClusterKind || !ours(head.APIVersion):
		return wrong("create.paste.kind", "kind", message.Str("kind", clip(head.Kind, 60)), message.Str("version", clip(head.APIVersion, 60)))
	}
	return head.APIVersion, nil
}

func ours(apiVersion string) bool {
	return strings.HasPrefix(apiVersion, clusterv1.GroupVersion.Group+"/")
}

// withClass finds the class that the Cluster names.
func (m Manifest) withClass(doc catalog.YAMLDocument) (Manifest, []fail.Fault) {
	c := m.Cluster
	t := &c.Spec.Topology
	if !t.IsDefined() || t.ClassRef.Name == "" {
		return m, []fail.Fault{pasted("create.paste.topology", doc.Line("spec.topology"))}
	}
	if n := poolsOf(c); n > MaxPools {
		return m, []fail.Fault{pasted("create.paste.pools", doc.Line("spec.topology.workers"), message.Num("n", n), message.Num("max", MaxPools))}
	}
	if at, name := twice(t); name != "" {
		return m, []fail.Fault{pasted("create.paste.variable-twice", doc.Line(at), message.Str("name", clip(name, 60)))}
	}
	m.Class = Ref{Namespace: t.ClassRef.Namespace, Name: t.ClassRef.Name}
	if m.Class.Namespace == "" {
		m.Class.Namespace = c.Namespace
	}
	for _, name := range []string{m.Class.Name, m.Class.Namespace, c.Namespace} {
		if name != "" && len(apivalidation.IsDNS1123Subdomain(name)) > 0 {
			return m, []fail.Fault{pasted("create.paste.name", doc.Line("spec.topology"), message.Str("name", clip(name, 60)))}
		}
	}
	return m, nil
}

// twice finds a variable that one list sets twice, of which the API server would
// refuse the second: its path and its name, both empty where there is none.
func twice(t *clusterv1.Topology) (path, name string) {
	lists := map[string][]clusterv1.ClusterVariable{
		"variables": t.Variables, "controlPlane.variables.overrides": t.ControlPlane.Variables.Overrides,
	}
	of := func(kind string, i int) string {
		return "workers." + kind + "[" + strconv.Itoa(i) + "].variables.overrides"
	}
	for i := range t.Workers.MachineDeployments {
		lists[of("machineDeployments", i)] = t.Workers.MachineDeployments[i].Variables.Overrides
	}
	for i := range t.Workers.MachinePools {
		lists[of("machinePools", i)] = t.Workers.MachinePools[i].Variables.Overrides
	}
	for _, at := range slices.Sorted(maps.Keys(lists)) {
		seen := map[string]bool{}
		for i := range lists[at] {
			name := lists[at][i].Name
			if seen[name] {
				return "spec.topology." + at + "[" + strconv.Itoa(i) + "].name", name
			}
			seen[name] = true
		}
	}
	return "", ""
}

// readStrict decodes a document; the faults are its unknown fields and the first
// value of a wrong type.
func readStrict(doc catalog.YAMLDocument, into any) []fail.Fault {
	unknown, err := kjson.UnmarshalStrict(doc.JSON, into, kjson.DisallowUnknownFields)
	var out []fail.Fault
	for _, e := range unknown {
		var at kjson.FieldError
		if errors.As(e, &at) {
			path := at.FieldPath()
			out = append(out, pasted("create.paste.unknown", doc.Line(path), message.Str("field", clip(path, 200))))
		}
	}
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mistyped):
		at := mistypedAt(doc, mistyped)
		out = append(out, pasted("create.paste.type", doc.Line(at), message.Str("field", at), message.Sub("value", kindOfValue(mistyped.Value))))
	case err != nil:
		out = append(out, pasted("create.paste.syntax", 1, message.Str("words", clip(err.Error(), 200))))
	}
	return out
}

// kindOfValue says what stands where another type belongs, as Go's JSON reader
// names it.
func kindOfValue(said string) message.Text {
	if number, ok := strings.CutPrefix(said, "number "); ok {
		return message.New("create.paste.value.this", message.Str("number", clip(number, 40)))
	}
	switch said {
	case "string":
		return message.New("create.paste.value.text")
	case "number":
		return message.New("create.paste.value.number")
	case "bool":
		return message.New("create.paste.value.bool")
	case "array":
		return message.New("create.paste.value.list")
	}
	return message.New("create.paste.value.object")
}

// mistypedAt is the path of a value of a wrong type. The error's own path leaves
// out which entry of a list it is; its offset tells, unless a type with a reader
// of its own counted it.
func mistypedAt(doc catalog.YAMLDocument, e *json.UnmarshalTypeError) string {
	at := doc.PathAt(e.Offset)
	if strings.HasPrefix(regexp.MustCompile(`\[\d+\]`).ReplaceAllString(at, ""), e.Field) {
		return at
	}
	return e.Field
}

func yamlFault(f *catalog.YAMLFault) fail.Fault {
	switch f.What {
	case catalog.YAMLEmpty:
		return fail.Fault{Field: InputManifest, Text: message.New("create.paste.empty")}
	case catalog.YAMLMany:
		return pasted("create.paste.many", f.Line)
	}
	if f.Line == 0 {
		f.Line = 1
	}
	f.Words = clip(f.Words, 200)
	return pasted("create.paste.syntax", f.Line, f.Said())
}

func pasted(key message.Key, line int, args ...message.Arg) fail.Fault {
	return fail.Fault{Field: InputManifest, Text: message.New(key, append([]message.Arg{message.Num("line", line)}, args...)...)}
}

func clip(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}

package topology

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// CreatePreview is what a form would make.
type CreatePreview struct {
	Lines []catalog.Line // the Cluster as YAML, with what defaulting adds
	Sent  string         // the Cluster as YAML, as it is sent
	// Numbers of machines; Min and Max differ where an autoscaler decides.
	ControlPlane int
	Min, Max     int // workers
}

// Preview shows what the plan makes of the form.
func (f *CreateForm) Preview(b catalog.Blueprint, checker *catalog.Checker, plan Plan) CreatePreview {
	v := CreatePreview{Lines: f.document(plan, checker.Defaulted)}
	var sent strings.Builder
	for _, l := range f.document(plan, func(s catalog.State, _ bool) []catalog.Defaulted { return s.Sent() }) {
		sent.WriteString(l.Text + "\n")
	}
	v.Sent = sent.String()
	if plan.ControlPlane != nil {
		v.ControlPlane = *plan.ControlPlane
	}
	for i, p := range plan.Pools {
		low, high, inherited := f.Pools[i].Inherited(b)
		switch {
		case p.Replicas != nil:
			low, high = *p.Replicas, *p.Replicas
		case p.Min != nil && p.Max != nil:
			low, high = *p.Min, *p.Max
		case !inherited:
			low, high = 0, 0
		}
		v.Min, v.Max = v.Min+low, v.Max+high
	}
	return v
}

// document writes the Cluster with a mark where each list of variables goes:
// their YAML knows which inputs its lines stand for.
func (f *CreateForm) document(plan Plan, values func(s catalog.State, whole bool) []catalog.Defaulted) []catalog.Line {
	places := map[string][]catalog.Line{}
	mark := func(s catalog.State, whole bool) []clusterv1.ClusterVariable {
		lines := catalog.Lines(values(s, whole))
		if len(lines) == 0 {
			return nil
		}
		name := "capstan-place-" + strconv.Itoa(len(places))
		places[name] = lines
		return []clusterv1.ClusterVariable{{Name: name, Value: apiextensionsv1.JSON{Raw: []byte("null")}}}
	}
	plan.Variables, plan.Overrides = mark(f.Variables, true), mark(f.Overrides, false)
	pools := make([]PlannedPool, len(plan.Pools))
	for i, p := range plan.Pools {
		pools[i] = p
		pools[i].Overrides = mark(f.Pools[i].Overrides, false)
	}
	plan.Pools = pools
	return catalog.Document(withMarks(written(plan.Cluster()), places), places)
}

// Admitted is the Cluster as admission would store it, from a dry run, with what
// defaulting added marked.
func Admitted(plan Plan, after *clusterv1.Cluster) []catalog.Line {
	stored := after.DeepCopy()
	stored.ObjectMeta = metav1.ObjectMeta{Namespace: after.Namespace, Name: after.Name, Labels: after.Labels, Annotations: map[string]string{}}
	for key, value := range after.Annotations {
		if !strings.HasPrefix(key, annotationPrefix) {
			stored.Annotations[key] = value
		}
	}
	stored.TypeMeta = metav1.TypeMeta{APIVersion: clusterv1.GroupVersion.String(), Kind: clusterv1.ClusterKind}
	return catalog.Compared(written(plan.Cluster()), written(stored))
}

// written is a Cluster as people write it: without a status, and without the
// objects that Go writes where nothing is set. Values of variables stay as they
// are.
func written(c *clusterv1.Cluster) json.RawMessage {
	tree := treeOf(c)
	delete(tree, "status")
	prune(tree)
	raw, err := json.Marshal(tree)
	if err != nil {
		return nil
	}
	return raw
}

func prune(tree map[string]any) {
	for key, value := range tree {
		if key == "variables" {
			continue
		}
		switch v := value.(type) {
		case map[string]any:
			prune(v)
			if len(v) == 0 {
				delete(tree, key)
			}
		case []any:
			for _, item := range v {
				if below, ok := item.(map[string]any); ok {
					prune(below)
				}
			}
		}
	}
}

// withMarks turns each marked list into its mark.
func withMarks(raw json.RawMessage, places map[string][]catalog.Line) json.RawMessage {
	text := string(raw)
	for name := range places {
		text = strings.ReplaceAll(text, `[{"name":"`+name+`","value":null}]`, `"`+name+`"`)
	}
	return json.RawMessage(text)
}

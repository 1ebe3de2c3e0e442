package topology

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
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
	raw, err := json.Marshal(plan.Cluster())
	if err != nil {
		return nil
	}
	return catalog.Document(withoutStatus(raw, places), places)
}

// withoutStatus drops what an object to be created doesn't have, and turns each
// marked list into its mark.
func withoutStatus(raw []byte, places map[string][]catalog.Line) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return raw
	}
	delete(object, "status")
	out, err := json.Marshal(object)
	if err != nil {
		return raw
	}
	text := string(out)
	for name := range places {
		text = strings.ReplaceAll(text, `[{"name":"`+name+`","value":null}]`, `"`+name+`"`)
	}
	return json.RawMessage(text)
}

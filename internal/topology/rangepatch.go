package topology

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// rangeOperations set or take away the two annotations of the autoscaler.
// Annotations, or metadata as a whole, may be absent: then the lowest missing
// ancestor is tested to be so and added. It goes again when nothing else is in
// it, because CAPI refuses empty metadata (MinProperties=1).
func (s slot) rangeOperations(w Wish) (tests, writes []operation) {
	if w.Switch == ModeAutoscaled {
		return s.setRange(*w.Range)
	}
	return s.dropRange()
}

func (s slot) setRange(r Range) (tests, writes []operation) {
	meta := s.path + "/metadata"
	bounds := map[string]string{
		clusterv1.AutoscalerMinSizeAnnotation: strconv.Itoa(r.Min),
		clusterv1.AutoscalerMaxSizeAnnotation: strconv.Itoa(r.Max),
	}
	switch {
	case s.own == nil && len(s.labels) == 0:
		return []operation{{"test", meta, json.RawMessage("null")}},
			[]operation{{"add", meta, object(map[string]map[string]string{"annotations": bounds})}}
	case s.own == nil:
		return []operation{{"test", meta + "/annotations", json.RawMessage("null")}},
			[]operation{{"add", meta + "/annotations", object(bounds)}}
	}
	for _, name := range boundNames() {
		tests = append(tests, s.testAnnotation(name))
		writes = append(writes, operation{"add", annotationPath(meta, name), quote(bounds[name])})
	}
	return tests, writes
}

func (s slot) dropRange() (tests, writes []operation) {
	meta := s.path + "/metadata"
	rest := maps.Clone(s.own)
	for _, name := range boundNames() {
		delete(rest, name)
	}
	switch {
	case len(rest) == len(s.own):
		return nil, nil
	case len(rest) == 0 && !s.plain:
		whole := operation{"test", meta + "/annotations", object(s.own)}
		if len(s.labels) > 0 {
			return []operation{whole}, []operation{{Op: "remove", Path: meta + "/annotations"}}
		}
		return []operation{{"test", meta, object(map[string]map[string]string{"annotations": s.own})}},
			[]operation{{Op: "remove", Path: meta}}
	}
	for _, name := range boundNames() {
		if _, there := s.own[name]; there {
			tests = append(tests, s.testAnnotation(name))
			writes = append(writes, operation{Op: "remove", Path: annotationPath(meta, name)})
		}
	}
	return tests, writes
}

func (s slot) testAnnotation(name string) operation {
	seen := json.RawMessage("null")
	if v, there := s.own[name]; there {
		seen = quote(v)
	}
	return operation{"test", annotationPath(s.path+"/metadata", name), seen}
}

func boundNames() []string {
	return []string{clusterv1.AutoscalerMinSizeAnnotation, clusterv1.AutoscalerMaxSizeAnnotation}
}

// annotationPath is a JSON pointer (RFC 6901): "/" in a name is written "~1".
func annotationPath(meta, name string) string {
	return meta + "/annotations/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func object[T any](value T) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		return json.RawMessage("null") // maps of strings always marshal
	}
	return text
}

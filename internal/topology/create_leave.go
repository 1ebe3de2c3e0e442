package topology

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// leaves says what of a Cluster is about that very object, and not about what
// another should be like. living: it is read from a management cluster.
func leaves(pointer string, living bool) (LeftWhy, bool) {
	switch pointer {
	case "/spec/controlPlaneRef", "/spec/infrastructureRef":
		return LeftMade, true
	case "/spec/controlPlaneEndpoint":
		return LeftMade, living
	case "/spec/paused":
		return LeftState, living
	case "/metadata/ownerReferences":
		return LeftOwner, true
	case "/metadata/finalizers":
		return LeftState, true
	}
	return "", false
}

// silent are the parts that only the API server writes: nobody misses them.
func silent(pointer string) bool {
	switch pointer {
	case "/status", "/metadata/uid", "/metadata/resourceVersion", "/metadata/generation", "/metadata/creationTimestamp",
		"/metadata/managedFields", "/metadata/selfLink", "/metadata/deletionTimestamp", "/metadata/deletionGracePeriodSeconds", "/metadata/generateName":
		return true
	}
	return false
}

// leavesKey says which labels and annotations belong to the object they were
// found on:
//   - what kubectl and this portal noted about it: it would be false elsewhere;
//   - by which Argo CD, Flux and Helm know what is theirs: they would delete the
//     new cluster with the next sync;
//   - what Cluster API, clusterctl and its hooks keep about work in progress.
func leavesKey(key, value string, living bool) (LeftWhy, bool) {
	domain, name, _ := strings.Cut(key, "/")
	switch {
	case key == "kubectl.kubernetes.io/last-applied-configuration", strings.HasPrefix(key, annotationPrefix):
		return LeftHistory, true
	case key == "argocd.argoproj.io/tracking-id", key == "argocd.argoproj.io/instance", domain == "meta.helm.sh",
		key == "app.kubernetes.io/managed-by" && value == "Helm",
		strings.HasSuffix(domain, ".toolkit.fluxcd.io") && (name == "name" || name == "namespace"):
		return LeftOwner, true
	case key == clusterv1.ClusterNameLabel, key == clusterv1.ClusterTopologyOwnedLabel:
		return LeftMade, true
	case strings.HasSuffix(domain, ".internal.cluster.x-k8s.io"), domain == "clusterctl.cluster.x-k8s.io",
		domain == "crd-migration.cluster.x-k8s.io", key == "runtime.cluster.x-k8s.io/pending-hooks":
		return LeftState, true
	case key == clusterv1.PausedAnnotation:
		return LeftState, living
	}
	return "", false
}

// settle makes lines of a form's input of labels or annotations. What belongs to
// the other object stays behind; what no line can hold is kept.
func (k *Kept) settle(pointer string, pairs map[string]string, living bool) string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		value, at := pairs[key], pointerTo(pointer, key)
		why, left := leavesKey(key, value, living)
		switch {
		case left:
			k.Left = append(k.Left, LeftOut{at, why})
		case len(validation.IsQualifiedName(key)) > 0, value != strings.TrimSpace(value), strings.ContainsAny(value, "\r\n"):
			k.add(at, value)
		default:
			lines = append(lines, key+"="+value)
		}
	}
	return strings.Join(lines, "\n")
}

// collect keeps what is neither shown by the form nor left behind.
func (k *Kept) collect(pointer string, tree map[string]any, shown, inside []string, living bool) {
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		at := pointerTo(pointer, key)
		if slices.Contains(shown, at) || silent(at) || empty(tree[key]) {
			continue
		}
		if why, left := leaves(at, living); left {
			k.Left = append(k.Left, LeftOut{at, why})
			continue
		}
		if below, ok := tree[key].(map[string]any); ok && slices.Contains(inside, at) {
			k.collect(at, below, shown, inside, living)
			continue
		}
		k.add(at, tree[key])
	}
}

// empty tells whether a value says nothing: objects in which nothing is set are
// what Go writes where nobody wrote anything.
func empty(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, below := range v {
			if !empty(below) {
				return false
			}
		}
		return true
	}
	return false
}

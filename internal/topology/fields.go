package topology

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// scaleSubresource is what kubectl scale and the autoscaler write through.
const scaleSubresource = "scale"

// managerOf finds the entry that owns the field; of several (server-side apply
// lets managers share) the latest.
func managerOf(entries []metav1.ManagedFieldsEntry, path []string) *metav1.ManagedFieldsEntry {
	var found *metav1.ManagedFieldsEntry
	for i := range entries {
		e := &entries[i]
		if e.FieldsV1 == nil || e.Subresource != "" && e.Subresource != scaleSubresource || !owns(e.FieldsV1.GetRawBytes(), path) {
			continue
		}
		if found == nil || e.Time != nil && (found.Time == nil || found.Time.Before(e.Time)) {
			found = e
		}
	}
	return found
}

func owns(fields []byte, path []string) bool {
	for _, step := range path {
		level := levelOf(fields)
		next, ok := level[step]
		if !ok {
			return false
		}
		fields = next
	}
	return true
}

func levelOf(fields []byte) map[string]json.RawMessage {
	var level map[string]json.RawMessage
	if json.Unmarshal(fields, &level) != nil {
		return nil
	}
	return level
}

// replicasPath is where managedFields name a pool's number; on a
// MachineDeployment itself it is spec.replicas.
func replicasPath(kind PoolKind, pool string) []string {
	name, err := json.Marshal(map[string]string{"name": pool})
	if err != nil {
		return nil
	}
	list := []string{"f:spec", "f:topology", "f:workers"}
	switch kind {
	case PoolControlPlane:
		return []string{"f:spec", "f:topology", "f:controlPlane", replicasField}
	case PoolMachinePool:
		return append(list, "f:machinePools", "k:"+string(name), replicasField)
	default:
		return append(list, "f:machineDeployments", "k:"+string(name), replicasField)
	}
}

const replicasField = "f:replicas"

func plainReplicasPath() []string { return []string{"f:spec", replicasField} }

// keepReplicas reduces fields to the paths of replicas; nil when there are none.
func keepReplicas(fields []byte) []byte {
	kept := pruned(levelOf(fields))
	if kept == nil {
		return nil
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return nil
	}
	return text
}

// pruned walks down only where numbers of pools can stand.
func pruned(level map[string]json.RawMessage) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	keep := func(name string, value []byte) {
		if out == nil {
			out = map[string]json.RawMessage{}
		}
		out[name] = value
	}
	for name, below := range level {
		switch {
		case name == replicasField:
			keep(name, below)
		case name == "f:spec", name == "f:topology", name == "f:controlPlane", name == "f:workers",
			name == "f:machineDeployments", name == "f:machinePools", len(name) > 2 && name[:2] == "k:":
			if next := keepReplicas(below); next != nil {
				keep(name, next)
			}
		}
	}
	return out
}

package topology

import (
	"encoding/json"
	"strconv"

	"github.com/capstan-portal/capstan/internal/message"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// slot is the place in a Cluster's topology where a pool's replicas stand.
type slot struct {
	path        string // JSON pointer of the object that holds replicas
	name        string // value at path/name; "" for the control plane, which has none
	replicas    *int32
	annotations map[string]string
}

// findSlot finds a pool by kind and name, never by position.
func findSlot(c *clusterv1.Cluster, kind PoolKind, pool string) (slot, bool) {
	t := &c.Spec.Topology
	if !t.IsDefined() {
		return slot{}, false
	}
	switch kind {
	case PoolControlPlane:
		return slot{path: "/spec/topology/controlPlane", replicas: t.ControlPlane.Replicas}, true
	case PoolMachineDeployment:
		for i := range t.Workers.MachineDeployments {
			if md := &t.Workers.MachineDeployments[i]; md.Name == pool {
				return slot{workersPath("machineDeployments", i), md.Name, md.Replicas, md.Metadata.Annotations}, true
			}
		}
	case PoolMachinePool:
		for i := range t.Workers.MachinePools {
			if mp := &t.Workers.MachinePools[i]; mp.Name == pool {
				return slot{workersPath("machinePools", i), mp.Name, mp.Replicas, mp.Metadata.Annotations}, true
			}
		}
	}
	return slot{}, false
}

func workersPath(list string, index int) string {
	return "/spec/topology/workers/" + list + "/" + strconv.Itoa(index)
}

// locked says why the slot must not be written; zero when it may be.
func (s slot) locked(c *clusterv1.Cluster) message.Text {
	switch {
	case !c.DeletionTimestamp.IsZero():
		return message.New("locked.deleting")
	case s.name == "" && s.replicas == nil:
		return message.New("locked.control-plane-external")
	default:
		return rangeOf(s.annotations).locked()
	}
}

func deploymentLocked(md *clusterv1.MachineDeployment) message.Text {
	if _, owned := md.Labels[clusterv1.ClusterTopologyOwnedLabel]; owned {
		return message.New("locked.external")
	}
	if !md.DeletionTimestamp.IsZero() {
		return message.New("locked.deleting")
	}
	return rangeOf(md.Annotations).locked()
}

// operation is one operation of a JSON patch.
type operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
}

// patch writes nothing but the pool's replicas, and only if the cluster, the
// pool at this index and the value seen are still the same. A test with null
// passes on an absent field because its parent is known to exist.
func (s slot) patch(uid string, w Wish) []byte {
	ops := []operation{{"test", "/metadata/uid", quote(uid)}}
	if s.name != "" {
		ops = append(ops, operation{"test", s.path + "/name", quote(s.name)})
	}
	return finish(ops, s.path+"/replicas", w)
}

func deploymentPatch(md *clusterv1.MachineDeployment, w Wish) []byte {
	return finish([]operation{
		{"test", "/metadata/uid", quote(string(md.UID))},
		{"test", "/metadata/name", quote(md.Name)},
	}, "/spec/replicas", w)
}

func finish(ops []operation, path string, w Wish) []byte {
	seen, op := json.RawMessage("null"), "add"
	if w.Seen != nil {
		seen, op = digits(*w.Seen), "replace"
	}
	ops = append(ops, operation{"test", path, seen}, operation{op, path, digits(w.Replicas)})
	patch, err := json.Marshal(ops)
	if err != nil {
		// Strings and numbers always marshal; an empty patch would be refused.
		return nil
	}
	return patch
}

func digits(n int) json.RawMessage { return json.RawMessage(strconv.Itoa(n)) }

func quote(s string) json.RawMessage {
	text, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage(`""`)
	}
	return text
}

// ownerUID is the uid of the Cluster that owns md; "" when none is named.
func ownerUID(md *clusterv1.MachineDeployment) string {
	for _, o := range md.OwnerReferences {
		if o.Kind == clusterv1.ClusterKind {
			return string(o.UID)
		}
	}
	return ""
}

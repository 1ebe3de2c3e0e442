package topology

import (
	"encoding/json"
	"strconv"

	"github.com/capstan-portal/capstan/internal/message"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// slot is the place where a pool's number and range stand: an entry of the
// topology, or a MachineDeployment of a cluster without one.
type slot struct {
	path      string // JSON pointer of the object that holds replicas and metadata
	replicas  string // JSON pointer of the number
	tests     []operation
	cp        bool
	plain     bool // a MachineDeployment itself, whose number never is unset
	now       *int32
	labels    map[string]string
	own       map[string]string // annotations where people write them
	inherited map[string]string // annotations of the worker class
}

// findSlot finds a pool by kind and name, never by position. class may be nil.
func findSlot(c *clusterv1.Cluster, class *clusterv1.ClusterClass, kind PoolKind, pool string) (slot, bool) {
	t := &c.Spec.Topology
	if !t.IsDefined() {
		return slot{}, false
	}
	uid := operation{"test", "/metadata/uid", quote(string(c.UID))}
	switch kind {
	case PoolControlPlane:
		const path = "/spec/topology/controlPlane"
		return slot{path: path, replicas: path + "/replicas", cp: true, now: t.ControlPlane.Replicas,
			tests: []operation{uid}}, true
	case PoolMachineDeployment:
		for i := range t.Workers.MachineDeployments {
			if md := &t.Workers.MachineDeployments[i]; md.Name == pool {
				s := workerSlot("machineDeployments", i, md.Name, md.Metadata, uid)
				s.now, s.inherited = md.Replicas, deploymentClass(class, md.Class).Metadata.Annotations
				return s, true
			}
		}
	case PoolMachinePool:
		for i := range t.Workers.MachinePools {
			if mp := &t.Workers.MachinePools[i]; mp.Name == pool {
				s := workerSlot("machinePools", i, mp.Name, mp.Metadata, uid)
				s.now, s.inherited = mp.Replicas, machinePoolClass(class, mp.Class).Metadata.Annotations
				return s, true
			}
		}
	}
	return slot{}, false
}

func workerSlot(list string, index int, name string, meta clusterv1.ObjectMeta, uid operation) slot {
	path := "/spec/topology/workers/" + list + "/" + strconv.Itoa(index)
	return slot{path: path, replicas: path + "/replicas", labels: meta.Labels, own: meta.Annotations,
		tests: []operation{uid, {"test", path + "/name", quote(name)}}}
}

func deploymentSlot(md *clusterv1.MachineDeployment) slot {
	return slot{replicas: "/spec/replicas", plain: true, now: md.Spec.Replicas,
		labels: map[string]string{"": ""}, own: md.Annotations, // metadata is always there
		tests: []operation{{"test", "/metadata/uid", quote(string(md.UID))}, {"test", "/metadata/name", quote(md.Name)}}}
}

// span is the range in force, the pool's over its class's.
func (s slot) span() span { return rangeOf(s.inherited, s.own) }

// locked says why nothing may be written; zero when something may be.
func (s slot) locked() message.Text {
	switch {
	case s.cp && s.now == nil:
		return message.New("locked.control-plane-external")
	case s.managed():
		return message.New("locked.managed")
	default:
		return message.Text{}
	}
}

func (s slot) managed() bool {
	_, own := s.own[clusterv1.ReplicasManagedByAnnotation]
	_, inherited := s.inherited[clusterv1.ReplicasManagedByAnnotation]
	return own || inherited
}

// operation is one operation of a JSON patch.
type operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`
}

// patch writes nothing but the pool's number and range, and only if the
// object, the pool at this index and what was seen are still the same. A test
// with null passes on an absent field because its parent is known to exist.
func (s slot) patch(w Wish) []byte {
	tests, writes := append([]operation{}, s.tests...), []operation{}
	seen := json.RawMessage("null")
	if s.now != nil {
		seen = digits(int(*s.now))
	}
	tests = append(tests, operation{"test", s.replicas, seen})
	switch {
	case w.Switch != ModeAutoscaled && s.now == nil:
		writes = append(writes, operation{"add", s.replicas, digits(w.Replicas)})
	case w.Switch != ModeAutoscaled && int(*s.now) != w.Replicas:
		writes = append(writes, operation{"replace", s.replicas, digits(w.Replicas)})
	case w.Switch == ModeAutoscaled && s.now != nil && !s.plain:
		writes = append(writes, operation{Op: "remove", Path: s.replicas})
	}
	if w.Switch != "" {
		more, then := s.rangeOperations(w)
		tests, writes = append(tests, more...), append(writes, then...)
	}
	patch, err := json.Marshal(append(tests, writes...))
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

package topology

import (
	"encoding/json"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// clockSlack is how far the times of an Event and of managedFields (whole
// seconds, another clock) may lie apart for one and the same write.
const clockSlack = 5 * time.Second

// OwnerOf says who set a pool's replicas in the live Cluster c: the person of
// the portal's change, else the field manager. c must carry managedFields.
func OwnerOf(c *clusterv1.Cluster, w Wish, changes []Change) Owner {
	s, ok := findSlot(c, w.Kind, w.Pool)
	o := Owner{UID: string(c.UID), Missing: !ok}
	if !ok || o.UID != w.UID {
		return o
	}
	o.Now = number(s.replicas)
	return o.by(c.ManagedFields, replicasPath(w), w, changes)
}

// DeploymentOwner is OwnerOf for the MachineDeployment of a cluster without a
// topology; c may be nil, md is nil when it has gone.
func DeploymentOwner(c *clusterv1.Cluster, md *clusterv1.MachineDeployment, w Wish, changes []Change) Owner {
	o := Owner{UID: w.UID, Missing: md == nil}
	if c != nil {
		o.UID = string(c.UID)
	}
	if md == nil || o.UID != w.UID {
		return o
	}
	o.Now = number(md.Spec.Replicas)
	return o.by(md.ManagedFields, []string{"f:spec", "f:replicas"}, w, changes)
}

// by fills in who and when.
func (o Owner) by(fields []metav1.ManagedFieldsEntry, path []string, w Wish, changes []Change) Owner {
	change := newest(changes, func(c Change) bool {
		return c.UID == w.UID && c.Kind == w.Kind && c.Pool == w.Pool && same(c.To, o.Now)
	})
	entry := managerOf(fields, path)
	var at time.Time
	if entry != nil && entry.Time != nil {
		at = entry.Time.Time
	}
	switch {
	case change != nil && (entry == nil || !at.After(change.At.Add(clockSlack))):
		o.Who, o.At = change.Who, change.At
	case entry != nil:
		o.Who, o.At = entry.Manager, at
	}
	return o
}

func replicasPath(w Wish) []string {
	name, err := json.Marshal(map[string]string{"name": w.Pool})
	if err != nil {
		return nil
	}
	list := []string{"f:spec", "f:topology", "f:workers"}
	switch w.Kind {
	case PoolControlPlane:
		return []string{"f:spec", "f:topology", "f:controlPlane", "f:replicas"}
	case PoolMachinePool:
		return append(list, "f:machinePools", "k:"+string(name), "f:replicas")
	default:
		return append(list, "f:machineDeployments", "k:"+string(name), "f:replicas")
	}
}

// managerOf finds the entry that owns the field; of several (server-side apply
// lets managers share) the latest.
func managerOf(entries []metav1.ManagedFieldsEntry, path []string) *metav1.ManagedFieldsEntry {
	var found *metav1.ManagedFieldsEntry
	for i := range entries {
		e := &entries[i]
		if e.FieldsV1 == nil || e.Subresource != "" || !owns(e.FieldsV1.GetRawBytes(), path) {
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
		var level map[string]json.RawMessage
		if json.Unmarshal(fields, &level) != nil {
			return false
		}
		next, ok := level[step]
		if !ok {
			return false
		}
		fields = next
	}
	return true
}

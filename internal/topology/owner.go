package topology

import (
	"time"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// clockSlack is how far the times of an Event and of managedFields (whole
// seconds, another clock) may lie apart for one and the same write.
const clockSlack = 5 * time.Second

// OwnerOf says who set a pool's replicas in the live Cluster c: the person of
// the portal's change, else the field manager. c must carry managedFields.
func OwnerOf(c *clusterv1.Cluster, w Wish, changes []Change) Owner {
	s, ok := findSlot(c, nil, w.Kind, w.Pool)
	o := Owner{UID: string(c.UID), Missing: !ok}
	if !ok || o.UID != w.UID {
		return o
	}
	o.Now = number(s.now)
	return o.by(setterOf(c, replicasPath(w.Kind, w.Pool)), w, changes)
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
	return o.by(setterOf(md, plainReplicasPath()), w, changes)
}

// by fills in who and when.
func (o Owner) by(s Setter, w Wish, changes []Change) Owner {
	change := newest(changes, func(c Change) bool {
		return c.UID == w.UID && c.Kind == w.Kind && c.Pool == w.Pool && same(c.To, o.Now)
	})
	o.Setter = s
	o.Held = s.Tool.Holds()
	switch {
	case change != nil && (s.Manager == "" || !s.At.After(change.At.Add(clockSlack))):
		o.Who, o.At = change.Person(), change.At
	case s.Manager != "":
		o.Who, o.At = s.Manager, s.At
	}
	return o
}

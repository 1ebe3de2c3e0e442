package topology

import (
	"time"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// clockSlack is how far the times of an Event and of managedFields (whole
// seconds, another clock) may lie apart for one and the same write.
const clockSlack = 5 * time.Second

// OwnerOf says who set a pool's replicas, or its range where it has one, in the
// live Cluster c: the person of the portal's change, else the field manager. c
// must carry managedFields; class, which may hold a range, may be nil.
func OwnerOf(c *clusterv1.Cluster, class *clusterv1.ClusterClass, w Wish, changes []Change) Owner {
	s, ok := findSlot(c, class, w.Kind, w.Pool)
	o := Owner{UID: string(c.UID), Missing: !ok}
	if !ok || o.UID != w.UID {
		return o
	}
	o.Now, o.Range = number(s.now), s.span().whole()
	path := replicasPath(w.Kind, w.Pool)
	if o.Range != nil {
		path = append(path[:len(path)-1:len(path)-1], "f:metadata", "f:annotations", boundField)
	}
	return o.by(setterOf(c, path), w, changes)
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
	o.Now, o.Range = number(md.Spec.Replicas), rangeOf(md.Annotations).whole()
	path := plainReplicasPath()
	if o.Range != nil {
		path = []string{"f:metadata", "f:annotations", boundField}
	}
	return o.by(setterOf(md, path), w, changes)
}

// boundField is one of the two annotations in managedFields: whoever writes a
// range writes both.
const boundField = "f:" + clusterv1.AutoscalerMaxSizeAnnotation

// made tells whether a change wished what stands there now.
func (o Owner) made(c Change) bool {
	if o.Range != nil {
		return sameRange(c.Range, o.Range)
	}
	return c.Range == nil && same(c.To, o.Now)
}

// by fills in who and when.
func (o Owner) by(s Setter, w Wish, changes []Change) Owner {
	change := newest(changes, func(c Change) bool {
		return c.UID == w.UID && c.Kind == w.Kind && c.Pool == w.Pool && o.made(c)
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

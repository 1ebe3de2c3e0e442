package fleet

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// Create creates a cluster as the person, or with dry only asks admission. The
// same form sent twice creates one cluster: the second time finds it. A refusal
// carries the management cluster's own causes.
func (f *Fleet) Create(ctx context.Context, u auth.User, p topology.Plan, dry bool) (topology.Created, error) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	rc, err := f.clients.as(u, clusterv1.GroupVersion)
	if err != nil {
		return topology.Created{}, err
	}
	c := p.Cluster()
	note(c, topology.AnnotationForm, p.Form)
	note(c, topology.AnnotationCreator, u.Name)
	said := &warnings{}
	after, err := post(ctx, rc, c, dry, said)
	if apierrors.IsAlreadyExists(err) {
		return alreadyThere(ctx, rc, u, p, err)
	}
	if err != nil {
		return topology.Created{}, createFailure(err, p)
	}
	if !dry {
		f.recordCreated(ctx, u, after)
	}
	return topology.Created{Ref: p.Ref, ResourceVersion: after.ResourceVersion, Warnings: said.texts, Object: after}, nil
}

func note(c *clusterv1.Cluster, key, value string) {
	notes := map[string]string{key: value}
	for k, v := range c.Annotations {
		if k != key {
			notes[k] = v
		}
	}
	c.Annotations = notes
}

func post(ctx context.Context, rc *rest.RESTClient, c *clusterv1.Cluster, dry bool, w rest.WarningHandler) (*clusterv1.Cluster, error) {
	request := rc.Post().Namespace(c.Namespace).Resource(string(topology.KindCluster)).
		Param("fieldManager", manager).WarningHandler(w).MaxRetries(0).Body(c)
	if dry {
		request = request.Param("dryRun", metav1.DryRunAll)
	}
	after := &clusterv1.Cluster{}
	return after, request.Do(ctx).Into(after)
}

// alreadyThere tells a form that was sent twice from a name that is taken.
func alreadyThere(ctx context.Context, rc *rest.RESTClient, u auth.User, p topology.Plan, cause error) (topology.Created, error) {
	there := &clusterv1.Cluster{}
	err := rc.Get().Namespace(p.Namespace).Resource(string(topology.KindCluster)).Name(p.Name).Do(ctx).Into(there)
	if err == nil && p.Form != "" && there.Annotations[topology.AnnotationForm] == p.Form && there.Annotations[topology.AnnotationCreator] == u.Name {
		return topology.Created{Ref: p.Ref, ResourceVersion: there.ResourceVersion, Already: true}, nil
	}
	text := message.New("create.fault.taken", message.Str("namespace", p.Namespace))
	failure := fail.Wrap(cause, fail.Invalid, text)
	failure.Faults = []fail.Fault{{Field: topology.InputName, Text: text}}
	return topology.Created{}, failure
}

// createFailure words what only a creation can meet; the rest is as for any
// write.
func createFailure(err error, p topology.Plan) error {
	switch {
	case apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause), apierrors.IsNotFound(err):
		text := message.New("create.fault.namespace-gone", message.Str("namespace", p.Namespace))
		failure := fail.Wrap(err, fail.Invalid, text)
		failure.Faults = []fail.Fault{{Field: topology.InputNamespace, Text: text}}
		return failure
	case fail.CodeOf(asFailure(err)) == fail.Forbidden:
		return forbidden(err, "create", kindOf(topology.KindCluster), p.Namespace)
	}
	return asFailure(err)
}

// recordCreated leaves the audit line and the Event of a creation.
func (f *Fleet) recordCreated(ctx context.Context, u auth.User, c *clusterv1.Cluster) {
	id, now := auth.RequestID(ctx), time.Now()
	class := classOf(c)
	f.log.InfoContext(ctx, "audit", "action", "create", "user", u.Name, "groups", u.Groups,
		"cluster", refOf(c).String(), "uid", c.UID, "class", class.String(), "version", c.Spec.Topology.Version, "request", id)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	who := u.Display
	if who == "" {
		who = u.Name
	}
	at := metav1.NewTime(now)
	err := f.createEvent(ctx, &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{GenerateName: c.Name + ".", Namespace: c.Namespace,
			Annotations: topology.EventAnnotations(topology.Change{UID: string(c.UID), Who: u.Name, Display: u.Display, At: now, RequestID: id, Generation: c.Generation})},
		InvolvedObject: corev1.ObjectReference{APIVersion: clusterv1.GroupVersion.String(), Kind: clusterv1.ClusterKind,
			Namespace: c.Namespace, Name: c.Name, UID: c.UID},
		Type: corev1.EventTypeNormal, Reason: topology.ReasonCreated, Action: "Create",
		Message:             fmt.Sprintf("%s created the cluster from class %s", who, class),
		ReportingController: manager, ReportingInstance: manager, Source: corev1.EventSource{Component: manager},
		FirstTimestamp: at, LastTimestamp: at, Count: 1, EventTime: metav1.NewMicroTime(now),
	})
	if err != nil {
		f.log.ErrorContext(ctx, "the cluster was created, its Event was not", "cluster", refOf(c).String(), "request", id, "err", err)
	}
}

// Specimen is a cluster as it stands, to make another like it; fail.NotFound
// when it is absent or unreadable.
func (f *Fleet) Specimen(ctx context.Context, u auth.User, ref topology.Ref) (*clusterv1.Cluster, error) {
	if err := f.filled(); err != nil {
		return nil, err
	}
	if err := f.mayGet(ctx, u, ref); err != nil {
		return nil, err
	}
	c, ok := stored[*clusterv1.Cluster](f.cache.clusters, ref)
	if !ok {
		return nil, notFound(ref)
	}
	return c.DeepCopy(), nil
}

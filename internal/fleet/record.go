package fleet

import (
	"context"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/topology"
)

const recordTimeout = 5 * time.Second

// done is a change that was written.
type done struct {
	wish    topology.Wish
	from    *int
	before  *topology.Range // the range that stood there; nil: none
	cluster *clusterv1.Cluster
	// generation is of the written object, after the write.
	generation int64
	at         time.Time
}

// record leaves an audit line and an Event on the Cluster, by the portal's own
// account. It is made directly: client-go's recorder is asynchronous and drops
// what comes fast. The person who waits may have gone; the record is made
// nonetheless.
func (f *Fleet) record(ctx context.Context, u auth.User, d done) {
	id := auth.RequestID(ctx)
	f.log.InfoContext(ctx, "audit", "action", "scale", "user", u.Name, "groups", u.Groups,
		"cluster", d.wish.String(), "uid", d.wish.UID, "pool", d.wish.Pool, "kind", string(d.wish.Kind),
		"from", number(d.from), "to", d.to(), "request", id)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	if err := f.createEvent(ctx, changeEvent(u, d, id)); err != nil {
		f.log.ErrorContext(ctx, "the change was written, its Event was not", "cluster", d.wish.String(), "request", id, "err", err)
	}
}

func (f *Fleet) createEvent(ctx context.Context, e *corev1.Event) error {
	rc, err := f.clients.own(corev1.SchemeGroupVersion)
	if err != nil {
		return err
	}
	return rc.Post().Namespace(e.Namespace).Resource("events").Body(e).Do(ctx).Error()
}

// changeEvent is read back by topology from its annotations; the message is
// for people who use kubectl.
func changeEvent(u auth.User, d done, request string) *corev1.Event {
	who := u.Display
	if who == "" {
		who = u.Name
	}
	at := metav1.NewTime(d.at)
	return &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{
			GenerateName: d.wish.Name + ".", Namespace: d.wish.Namespace,
			Annotations: topology.EventAnnotations(topology.Change{
				UID: string(d.cluster.UID), Pool: d.wish.Pool, Kind: d.wish.Kind,
				Who: u.Name, Display: who, From: d.from, To: d.number(), Range: d.wish.Range, Before: d.before, At: d.at, RequestID: request,
				Generation: d.generation,
			}),
		},
		InvolvedObject: corev1.ObjectReference{
			APIVersion: clusterv1.GroupVersion.String(), Kind: clusterv1.ClusterKind,
			Namespace: d.wish.Namespace, Name: d.wish.Name, UID: d.cluster.UID,
		},
		Type: corev1.EventTypeNormal, Reason: "Scaled", Action: "Scale",
		Message:             fmt.Sprintf("%s scaled pool %s from %s to %s", who, d.wish.Pool, number(d.from), d.to()),
		ReportingController: manager, ReportingInstance: manager,
		Source:         corev1.EventSource{Component: manager},
		FirstTimestamp: at, LastTimestamp: at, Count: 1,
		EventTime: metav1.NewMicroTime(d.at),
	}
}

func number(n *int) string {
	if n == nil {
		return "unset"
	}
	return strconv.Itoa(*n)
}

// number is what was written; nil where the autoscaler got a range instead.
func (d done) number() *int {
	if d.wish.Switch == topology.ModeAutoscaled {
		return nil
	}
	n := d.wish.Replicas
	return &n
}

// to words what was written.
func (d done) to() string {
	if r := d.wish.Range; r != nil {
		return fmt.Sprintf("autoscaled %d-%d", r.Min, r.Max)
	}
	return number(d.number())
}

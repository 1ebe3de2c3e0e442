package web

import (
	"context"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/topology"
)

// Fleet is what the handlers need of the management cluster; package fleet has
// the real one. Every read is made with the eyes of the person: what they may
// not read is not there. Errors are *fail.Error where a person can be told.
type Fleet interface {
	// Clusters gives all clusters that u may read, in no order.
	Clusters(ctx context.Context, u auth.User) ([]topology.Summary, error)
	// Cluster gives one cluster; fail.NotFound when absent or unreadable.
	Cluster(ctx context.Context, u auth.User, ref topology.Ref) (topology.Cluster, error)
	// Classes gives the classes that u may read.
	Classes(ctx context.Context, u auth.User) ([]catalog.Class, error)
	// Class gives everything about one class; fail.NotFound when absent or unreadable.
	Class(ctx context.Context, u auth.User, ref topology.Ref) (catalog.Blueprint, error)
	// Template reads one template of a class as YAML, live and as the person.
	Template(ctx context.Context, u auth.User, class topology.Ref, t catalog.Target) (string, error)
	// CreatableIn names the namespaces in which u may create clusters.
	CreatableIn(ctx context.Context, u auth.User) ([]string, error)
	// Create creates a cluster as the person, or with dry only asks admission.
	// The same form sent twice creates one cluster.
	Create(ctx context.Context, u auth.User, p topology.Plan, dry bool) (topology.Created, error)
	// Specimen is a cluster to make another like it; fail.NotFound as above.
	Specimen(ctx context.Context, u auth.User, ref topology.Ref) (*clusterv1.Cluster, error)
	// Outcomes gives how the latest changes that u made ended, and the clusters
	// that were looked at for it.
	Outcomes(ctx context.Context, u auth.User) ([]topology.Outcome, []topology.Ref, error)
	// Rights says what u may do where.
	Rights(ctx context.Context, u auth.User) ([]auth.NamespaceRights, error)
	// Scale writes a wish as the person, or with dry asks admission only.
	// fail.Conflict means that somebody else changed the value: see Fresh.
	Scale(ctx context.Context, u auth.User, w topology.Wish, dry bool) (topology.Written, error)
	// Fresh reads the cluster live and as the person, past the cache, and says
	// which manager owns the pool's replicas and since when.
	Fresh(ctx context.Context, u auth.User, w topology.Wish) (topology.Owner, error)
	// Await waits until the cache has seen the written cluster or ctx ends, and
	// says whether it has.
	Await(ctx context.Context, ref topology.Ref, resourceVersion string) bool
	// Subscribe wakes up when one of the topics may look different to u: an
	// object changed or one of u's decisions was dropped.
	Subscribe(u auth.User, topics ...topology.Topic) topology.Subscription
	// Version grows with every change before anybody is woken up by it.
	Version() uint64
	// Connection says whether the management cluster is heard.
	Connection() topology.Connection
}

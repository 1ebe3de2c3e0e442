package fleet

import (
	"context"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// writeTimeout bounds a write as a whole; CAPI's webhooks have 10 s each.
const writeTimeout = 25 * time.Second

// Scale writes a wish as the person, or with dry only asks admission. A wish
// that has come true already is no failure. After a write the change has been
// recorded when Scale returns; that the record failed is logged, no failure.
func (f *Fleet) Scale(ctx context.Context, u auth.User, w topology.Wish, dry bool) (topology.Written, error) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err := f.mayGet(ctx, u, w.Ref); err != nil {
		return topology.Written{}, err
	}
	written, did, err := f.attempt(ctx, u, w, dry)
	if err != nil && stale(err) {
		// The API server doesn't say which test failed: look again and decide
		// again, once.
		written, did, err = f.attempt(ctx, u, w, dry)
	}
	if err != nil {
		return topology.Written{Owner: written.Owner, Patch: written.Patch}, asFailure(err)
	}
	if !dry && did != nil {
		f.record(ctx, u, *did)
	}
	return written, nil
}

// attempt reads, decides and patches. done is nil where nothing was to be
// written.
func (f *Fleet) attempt(ctx context.Context, u auth.User, w topology.Wish, dry bool) (topology.Written, *done, error) {
	t, err := f.live(ctx, u, w)
	if err != nil {
		return topology.Written{}, nil, err
	}
	if err := f.permitted(t, w); err != nil {
		return topology.Written{}, nil, err
	}
	d := t.decide(w)
	if d.Failure != nil {
		return topology.Written{}, nil, d.Failure
	}
	if d.Kind == topology.DecideAlready {
		return topology.Written{ResourceVersion: t.resourceVersion(), Already: true}, nil, nil
	}
	written := topology.Written{Owner: t.owner(w, nil), Patch: d.Patch}
	if written.Owner.Held && !w.Anyway && !dry {
		return written, nil, fail.New(fail.Invalid, message.New("scale.held", message.Str("manager", written.Owner.Setter.Manager)))
	}
	warnings := &warnings{}
	after, err := t.patch(ctx, d.Patch, dry, warnings)
	if fail.CodeOf(asFailure(err)) == fail.Forbidden {
		err = forbidden(err, "patch", kindOf(t.kind()), w.Namespace)
	}
	if err != nil {
		return written, nil, err
	}
	written.ResourceVersion, written.Warnings = after.GetResourceVersion(), warnings.texts
	return written, &done{wish: w, from: d.Now, before: d.Range, cluster: t.cluster, generation: after.GetGeneration(), at: time.Now()}, nil
}

// permitted checks the numbers once more: CAPI's webhook accepts -1 and 1e9.
func (f *Fleet) permitted(t target, w topology.Wish) error {
	if w.Switch == topology.ModeAutoscaled {
		if w.Range == nil {
			return fail.New(fail.Invalid, message.New("range.bad"))
		}
		if _, err := topology.ParseRange(strconv.Itoa(w.Range.Min), strconv.Itoa(w.Range.Max), f.maxReplicas()); err != nil {
			return err
		}
		return nil
	}
	_, err := topology.ParseReplicas(strconv.Itoa(w.Replicas), w.Kind, t.controlPlaneKind(), f.maxReplicas())
	if err != nil {
		return err
	}
	return nil
}

func (f *Fleet) maxReplicas() int {
	if f.cfg.MaxReplicas > 0 {
		return f.cfg.MaxReplicas
	}
	return topology.DefaultMax
}

// controlPlaneKind is what the Cluster names or, before it does, what its class
// will make.
func (t target) controlPlaneKind() string {
	if kind := t.cluster.Spec.ControlPlaneRef.Kind; kind != "" || t.class == nil {
		return kind
	}
	return strings.TrimSuffix(t.class.Spec.ControlPlane.TemplateRef.Kind, "Template")
}

// patch sends a JSON patch for the object that holds the replicas and gives
// the object as it is afterwards.
func (t target) patch(ctx context.Context, patch []byte, dry bool, w rest.WarningHandler) (object, error) {
	request := t.rest.Patch(types.JSONPatchType).
		Namespace(t.cluster.Namespace).Resource(string(t.kind())).Name(t.name()).
		Param("fieldManager", manager).WarningHandler(w).MaxRetries(0).Body(patch)
	if dry {
		request = request.Param("dryRun", metav1.DryRunAll)
	}
	after := t.blank()
	return after, request.Do(ctx).Into(after)
}

// warnings collects what admission warns of.
type warnings struct{ texts []string }

// HandleWarningHeader takes a warning of the API server; 299 is the only code
// that it uses.
func (w *warnings) HandleWarningHeader(code int, _, text string) {
	if code == 299 && text != "" {
		w.texts = append(w.texts, text)
	}
}

package fleet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// The messages are those of a real API server.
func statuses() map[string]error {
	clusters := schema.GroupResource{Group: "cluster.x-k8s.io", Resource: "clusters"}
	path := field.NewPath("spec", "topology", "workers", "machineDeployments").Key("md-0").Child("replicas")
	status := func(code int32, reason metav1.StatusReason, text string) error {
		return &apierrors.StatusError{ErrStatus: metav1.Status{Status: "Failure", Code: code, Reason: reason, Message: text}}
	}
	return map[string]error{
		"rbac": apierrors.NewForbidden(clusters, "c1",
			errors.New(`User "oidc:viewer" cannot patch resource "clusters" in API group "cluster.x-k8s.io" in the namespace "team-a"`)),
		"impersonation": apierrors.NewForbidden(schema.GroupResource{Resource: "users"}, "oidc:viewer",
			errors.New(`User "system:serviceaccount:capstan-system:capstan" cannot impersonate resource "users" in API group "" at the cluster scope`)),
		"quota":   apierrors.NewForbidden(clusters, "c1", errors.New("exceeded quota: few, requested: count/clusters=1, used: 2, limited: 2")),
		"webhook": status(http.StatusForbidden, metav1.StatusReasonForbidden, `admission webhook "x.example.com" denied the request: not on a Friday: really`),
		"policy": status(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid,
			`clusters.cluster.x-k8s.io "c1" is forbidden: ValidatingAdmissionPolicy 'rule' with binding 'rule' denied request: at most 50 machines`),
		"capi": apierrors.NewInvalid(schema.GroupKind{Group: clusters.Group, Kind: "Cluster"}, "c1",
			field.ErrorList{field.Invalid(path, map[string]any{"a": "b: c"}, "must be nice")}),
		"webhook down": apierrors.NewInternalError(errors.New(`failed calling webhook "validation.cluster.x-k8s.io": failed to call webhook: Post "https://x/validate": dial tcp 127.0.0.1:9443: connect: connection refused`)),
		"test failed":  apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", "", 0, false),
		"race":         apierrors.NewConflict(clusters, "c1", errors.New("the object has been modified")),
		"gone":         apierrors.NewNotFound(clusters, "c1"),
		"token":        apierrors.NewUnauthorized("Unauthorized"),
		"busy":         apierrors.NewTooManyRequests("wait", 1),
		"etcd slow":    status(http.StatusInternalServerError, metav1.StatusReasonTimeout, "etcdserver: request timed out"),
		"unknown":      apierrors.NewInternalError(errors.New("boom")),
		"refused":      &url.Error{Op: "Get", URL: "https://x", Err: &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}},
		"no dns":       &url.Error{Op: "Get", URL: "https://x", Err: &net.DNSError{Err: "no such host"}},
		"deadline":     fmt.Errorf("client rate limiter: %w", context.DeadlineExceeded),
		"timeout":      &url.Error{Op: "Get", URL: "https://x", Err: context.DeadlineExceeded},
		"own failure":  fail.New(fail.Conflict, message.New("x")),
	}
}

func TestAsFailure(t *testing.T) {
	tests := map[string]struct {
		code  fail.Code
		key   message.Key
		stale bool
	}{
		"rbac":          {fail.Forbidden, "fleet.forbidden", false},
		"impersonation": {fail.Internal, "fleet.no-impersonation", false},
		"quota":         {fail.Invalid, "fleet.quota", false},
		"webhook":       {fail.Invalid, "fleet.denied", false},
		"policy":        {fail.Invalid, "fleet.denied", false},
		"capi":          {fail.Invalid, "fleet.refused", false},
		"webhook down":  {fail.Unavailable, "fleet.webhook-down", false},
		"test failed":   {fail.Conflict, "fleet.conflict", true},
		"race":          {fail.Conflict, "fleet.conflict", true},
		"gone":          {fail.NotFound, "fleet.gone", false},
		"token":         {fail.Unavailable, "fleet.no-credentials", false},
		"busy":          {fail.Unavailable, "fleet.busy", false},
		"etcd slow":     {fail.Unavailable, "fleet.no-answer", false},
		"unknown":       {fail.Internal, "fleet.internal", false},
		"refused":       {fail.Unavailable, "fleet.unreachable", false},
		"no dns":        {fail.Unavailable, "fleet.unreachable", false},
		"deadline":      {fail.Unavailable, "fleet.no-answer", false},
		"timeout":       {fail.Unavailable, "fleet.no-answer", false},
		"own failure":   {fail.Conflict, "x", false},
	}
	for name, err := range statuses() {
		t.Run(name, func(t *testing.T) {
			want, known := tests[name]
			if !known {
				t.Fatal("no expectation")
			}
			var got *fail.Error
			if !errors.As(asFailure(err), &got) {
				t.Fatalf("no failure with words: %v", err)
			}
			if got.Code != want.code || got.Text.Key != want.key {
				t.Errorf("%s %s, want %s %s", got.Code, got.Text.Key, want.code, want.key)
			}
			if s := stale(err); s != want.stale {
				t.Errorf("stale %t, want %t", s, want.stale)
			}
		})
	}
}

func TestEveryFailureHasWords(t *testing.T) {
	catalogue, err := message.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range catalogue.Languages() {
		printer := catalogue.Printer(lang)
		for name, err := range statuses() {
			var e *fail.Error
			if errors.As(asFailure(err), &e) && e.Text.Key != "x" && printer.Say(e.Text) == string(e.Text.Key) {
				t.Errorf("%s: %s has no words in %s", name, e.Text.Key, lang)
			}
		}
	}
}

func TestFaultsCarryThePathAndTheLastWords(t *testing.T) {
	var e *fail.Error
	if !errors.As(asFailure(statuses()["capi"]), &e) || len(e.Faults) != 1 {
		t.Fatalf("want one fault, got %v", e)
	}
	catalogue, err := message.Load()
	if err != nil {
		t.Fatal(err)
	}
	got := e.Faults[0]
	if want := "spec.topology.workers.machineDeployments[md-0].replicas"; got.Field != want {
		t.Errorf("field %q, want %q", got.Field, want)
	}
	if words := catalogue.Printer(message.English).Say(got.Text); words != "must be nice" {
		t.Errorf("words %q", words)
	}
}

func TestMissingRight(t *testing.T) {
	e := forbidden(errors.New("x"), "patch", capiKind("clusters"), "team-a")
	var f *fail.Error
	if !errors.As(e, &f) || f.Text.Key != "fleet.missing-right" {
		t.Fatalf("got %v", e)
	}
	if got := missing("list", kindOf("events"), "team-a"); got != "list events in team-a" {
		t.Errorf("a core right is said as %q", got)
	}
}

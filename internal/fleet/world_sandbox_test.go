//go:build sandbox

package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/fleet"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// team is a namespace with one paused cluster "c1" (pools md-0 of 3 and md-1
// without a number) and one person, whose group has a team's rights in it.
type team struct {
	*testkit.World
	person auth.User
}

func newTeam(t *testing.T, sb *testkit.Sandbox) team {
	t.Helper()
	w := testkit.NewWorld(t, sb)
	w.Apply(pausedCluster("c1"))
	person := auth.User{Name: "oidc:dev-" + w.Namespace, Display: "dev", Groups: []string{"oidc:" + w.Namespace}}
	w.Grant(person.Groups[0], "cluster-api-team")
	return team{w, person}
}

// pausedCluster is a Cluster on which no controller works.
func pausedCluster(name string) string {
	return fmt.Sprintf(`apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: %s, namespace: NAMESPACE}
spec:
  paused: true
  topology:
    classRef: {name: quick}
    version: v1.34.2
    controlPlane: {replicas: 1}
    workers:
      machineDeployments:
      - {name: md-0, class: quick, replicas: 3}
      - {name: md-1, class: quick}`, name)
}

// connect runs a Fleet as the portal's own account and waits until it is
// filled.
func connect(t *testing.T, sb *testkit.Sandbox) *fleet.Fleet {
	t.Helper()
	f := start(t, sb)
	until(t, "the cache is filled", 30*time.Second, f.Ready)
	return f
}

func start(t *testing.T, sb *testkit.Sandbox) *fleet.Fleet {
	t.Helper()
	f, err := fleet.Connect(t.Context(), fleet.Config{Kubeconfig: sb.PortalKubeconfig}, quiet())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// user is one of the sandbox's accounts, or a stranger.
func user(name, group string) auth.User {
	return auth.User{Name: "oidc:" + name, Display: name, Groups: []string{"oidc:" + group}}
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// until waits for a condition.
func until(t *testing.T, what string, patience time.Duration, condition func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-ctx.Done():
			t.Fatalf("waited %s in vain: %s", patience, what)
		case <-tick.C:
		}
	}
}

func (w team) ref() topology.Ref { return topology.Ref{Namespace: w.Namespace, Name: "c1"} }

// wish is one that fits what stands there.
func (w team) wish(seen, replicas int) topology.Wish {
	return topology.Wish{
		Ref: w.ref(), UID: string(w.Get("Cluster", "c1").GetUID()), Pool: "md-0",
		Kind: topology.PoolMachineDeployment, Seen: &seen, Replicas: replicas,
	}
}

// settled waits until the cache holds the world's cluster and the person may
// see it.
func (w team) settled(t *testing.T, f *fleet.Fleet) {
	t.Helper()
	until(t, "the person sees the cluster", 30*time.Second, func() bool {
		_, err := f.Cluster(t.Context(), w.person, w.ref())
		return err == nil
	})
}

func names(t *testing.T, f *fleet.Fleet, u auth.User) []string {
	t.Helper()
	rows, err := f.Clusters(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range rows {
		out = append(out, r.String())
	}
	return out
}

func wantCode(t *testing.T, err error, want fail.Code) {
	t.Helper()
	if got := fail.CodeOf(err); got != want {
		t.Fatalf("code %q, want %q: %v", got, want, err)
	}
}

// key is the key of what a person is told.
func key(err error) message.Key {
	var e *fail.Error
	if errors.As(err, &e) {
		return e.Text.Key
	}
	return ""
}

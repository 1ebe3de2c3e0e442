//go:build sandbox

package fleet_test

import (
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

func TestTheManagementClusterGoesAndComesBack(t *testing.T) {
	t.Parallel()
	sb := testkit.OwnSandbox(t, "--managers=false")
	f := connect(t, sb)
	viewer := user("viewer", "viewers")
	if _, err := f.Clusters(t.Context(), viewer); err != nil {
		t.Fatal(err)
	}
	page := f.Subscribe(viewer, topology.Topic{})
	defer page.Close()
	sb.Stop(t, "kube-apiserver")
	until(t, "the loss is noticed", 5*time.Second, func() bool { return f.Connection().Lost })
	select {
	case <-page.Wake():
	case <-time.After(time.Second):
		t.Error("the page was not told of the loss")
	}
	if _, err := f.Clusters(t.Context(), viewer); err != nil {
		t.Errorf("lists should go on from memory: %v", err)
	}
	stranger := user("stranger", "none")
	_, err := f.Cluster(t.Context(), stranger, topology.Ref{Namespace: "team-a", Name: "x"})
	wantCode(t, err, fail.Unavailable)
	late := start(t, sb)
	until(t, "a portal that starts now notices", 10*time.Second, func() bool { return late.Connection().Lost })
	_, err = late.Clusters(t.Context(), viewer)
	wantCode(t, err, fail.Unavailable)
	sb.Start(t, "kube-apiserver")
	until(t, "the portal hears again", 20*time.Second, func() bool { return !f.Connection().Lost })
	until(t, "the later portal is filled", 30*time.Second, late.Ready)
}

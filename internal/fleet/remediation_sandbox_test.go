//go:build sandbox

package fleet_test

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// The health check's own controller holds back, and the page names the machine
// to those who may read health checks.
func TestRemediationHeldBack(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	w.Cluster("live", "md-0=1")
	w.Available("live")
	sick := w.List("Machine", "cluster.x-k8s.io/cluster-name=live,topology.cluster.x-k8s.io/deployment-name=md-0")[0].GetName()
	w.Apply(`apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: {name: strict, namespace: NAMESPACE}
spec:
  clusterName: live
  selector: {matchLabels: {topology.cluster.x-k8s.io/deployment-name: md-0}}
  checks:
    nodeStartupTimeoutSeconds: 600
    unhealthyNodeConditions: [{type: Ready, status: Unknown, timeoutSeconds: 600}]
  remediation: {triggerIf: {unhealthyLessThanOrEqualTo: 0}}`)
	machines := schema.GroupVersionResource{Group: "cluster.x-k8s.io", Version: "v1beta2", Resource: "machines"}
	_, err := sb.Client.Resource(machines).Namespace(w.Namespace).Patch(t.Context(), sick, types.MergePatchType,
		[]byte(`{"metadata":{"annotations":{"cluster.x-k8s.io/remediate-machine":""}}}`), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f := connect(t, sb)
	ref := topology.Ref{Namespace: w.Namespace, Name: "live"}
	until(t, "the check is said to hold back", time.Minute, func() bool {
		c, err := f.Cluster(t.Context(), w.person, ref)
		if err != nil || len(c.HeldBack) != 1 {
			return false
		}
		h := c.HeldBack[0]
		return h.Check == "strict" && h.Limit == "0" && h.Unwell == 1 && h.Expected == 1 && len(h.Sick) == 1 && h.Sick[0].Name == sick
	})
	one := auth.User{Name: "oidc:one-" + w.Namespace}
	w.Apply(strings.ReplaceAll(`apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: one, namespace: NAMESPACE}
rules: [{apiGroups: [cluster.x-k8s.io], resources: [clusters, machines], verbs: [get, list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: one, namespace: NAMESPACE}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: one}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: PERSON}]`, "PERSON", one.Name))
	until(t, "who may not list health checks learns nothing of them", 30*time.Second, func() bool {
		c, err := f.Cluster(t.Context(), one, ref)
		return err == nil && c.Denied[topology.KindHealthCheck] && len(c.HeldBack) == 0 && len(c.Machines) > 0
	})
}

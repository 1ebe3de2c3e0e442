//go:build sandbox

package fleet_test

import (
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// The autoscaler's last word is read from its Events, as the person.
func TestTheAutoscalersLastWord(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	w := newTeam(t, sb)
	w.Apply(`apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: hand, namespace: NAMESPACE}
spec:
  paused: true
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevCluster, name: hand}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: workers
  namespace: NAMESPACE
  labels: {cluster.x-k8s.io/cluster-name: hand}
  annotations:
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "1"
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "3"
spec:
  clusterName: hand
  replicas: 2
  selector: {matchLabels: {}}
  template:
    spec:
      clusterName: hand
      bootstrap: {dataSecretName: none}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachineTemplate, name: quick}
---
apiVersion: v1
kind: Event
metadata: {name: workers.1, namespace: NAMESPACE}
involvedObject: {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, namespace: NAMESPACE, name: workers}
type: Warning
reason: FailedToScaleUpGroup
message: Scale-up failed for group workers
source: {component: cluster-autoscaler}
lastTimestamp: "2026-01-01T10:00:00Z"`)
	f := connect(t, sb)
	until(t, "the page has it", 10*time.Second, func() bool {
		c, err := f.Cluster(t.Context(), w.person, topology.Ref{Namespace: w.Namespace, Name: "hand"})
		if err != nil || len(c.Pools) != 1 || c.Pools[0].LastWord == nil {
			return false
		}
		word := c.Pools[0].LastWord
		return word.Warn && word.Text == "Scale-up failed for group workers" && word.At.Year() == 2026
	})
}

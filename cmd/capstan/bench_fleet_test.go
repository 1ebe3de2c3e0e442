//go:build sandbox

package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// The synthetic fleet of the benchmark: no manager runs, so the status that the
// builders give stays as it is written.
const (
	benchNamespace = "bench"
	benchClusters  = 500
	benchMachines  = 10 // per cluster, in one pool
)

// settle writes the synthetic fleet.
func settle(b *testing.B, sb *testkit.Sandbox) {
	b.Helper()
	began := time.Now()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: benchNamespace}}
	if err := put(sb.Client, ns, "v1", "Namespace", "namespaces"); err != nil {
		b.Fatal(err)
	}
	var g errgroup.Group
	g.SetLimit(16)
	for i := range benchClusters {
		g.Go(func() error { return settleCluster(sb.Client, fmt.Sprintf("bench-%03d", i)) })
	}
	if err := g.Wait(); err != nil {
		b.Fatal(err)
	}
	b.Logf("%d clusters × %d machines written in %s", benchClusters, benchMachines, time.Since(began).Round(time.Second))
}

func settleCluster(client dynamic.Interface, name string) error {
	v := clusterv1.GroupVersion.String()
	c := testkit.NewCluster(benchNamespace, name).Pool("md-0", benchMachines).WorkersStatus(benchMachines, benchMachines).Build()
	if err := put(client, c, v, "Cluster", "clusters"); err != nil {
		return err
	}
	md := testkit.NewDeployment(c, "md-0", name+"-md-0", benchMachines).Status(benchMachines, benchMachines).Build()
	refer(&md.Spec.Template.Spec, name)
	md.Spec.Selector.MatchLabels = map[string]string{"pool": "md-0"}
	md.Spec.Template.Labels = md.Spec.Selector.MatchLabels
	if err := put(client, md, v, "MachineDeployment", "machinedeployments"); err != nil {
		return err
	}
	for i := range benchMachines {
		m := testkit.NewMachine(md, name+"-md-0-x", fmt.Sprintf("%s-md-0-x-%02d", name, i)).Ready(testkit.Epoch(), testkit.Epoch()).Build()
		refer(&m.Spec, name)
		if err := put(client, m, v, "Machine", "machines"); err != nil {
			return err
		}
	}
	return nil
}

// refer gives a machine's spec the references that the API server wants.
func refer(spec *clusterv1.MachineSpec, cluster string) {
	secret := "none"
	spec.ClusterName = cluster
	spec.Bootstrap.DataSecretName = &secret
	spec.InfrastructureRef = clusterv1.ContractVersionedObjectReference{APIGroup: "infrastructure.cluster.x-k8s.io", Kind: "DevMachine", Name: "none"}
}

// put creates an object, and its status where it has one.
func put(client dynamic.Interface, obj runtime.Object, apiVersion, kind, resource string) error {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return err
	}
	u := &unstructured.Unstructured{Object: fields}
	u.SetAPIVersion(apiVersion)
	u.SetKind(kind)
	u.SetUID("")
	u.SetResourceVersion("")
	u.SetOwnerReferences(nil)
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return err
	}
	api := client.Resource(gv.WithResource(resource)).Namespace(u.GetNamespace())
	made, err := api.Create(context.Background(), u, metav1.CreateOptions{})
	if err != nil || kind == "Namespace" {
		return err
	}
	made.Object["status"] = u.Object["status"]
	_, err = api.UpdateStatus(context.Background(), made, metav1.UpdateOptions{})
	return err
}

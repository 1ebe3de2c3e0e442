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
	put(b, sb.Client, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: benchNamespace}}, "v1", "Namespace", "namespaces")
	var g errgroup.Group
	g.SetLimit(16)
	for i := range benchClusters {
		g.Go(func() error {
			name := fmt.Sprintf("bench-%03d", i)
			c := testkit.NewCluster(benchNamespace, name).Pool("md-0", benchMachines).WorkersStatus(benchMachines, benchMachines).Build()
			put(b, sb.Client, c, clusterv1.GroupVersion.String(), "Cluster", "clusters")
			md := testkit.NewDeployment(c, "md-0", name+"-md-0", benchMachines).Status(benchMachines, benchMachines).Build()
			put(b, sb.Client, md, clusterv1.GroupVersion.String(), "MachineDeployment", "machinedeployments")
			for m := range benchMachines {
				machine := testkit.NewMachine(md, name+"-md-0-x", fmt.Sprintf("%s-md-0-x-%02d", name, m)).Ready(testkit.Epoch(), testkit.Epoch()).Build()
				put(b, sb.Client, machine, clusterv1.GroupVersion.String(), "Machine", "machines")
			}
			return nil
		})
	}
	_ = g.Wait()
	b.Logf("%d clusters × %d machines written in %s", benchClusters, benchMachines, time.Since(began).Round(time.Second))
}

// put creates an object, and its status where it has one.
func put(b *testing.B, client dynamic.Interface, obj runtime.Object, apiVersion, kind, resource string) {
	b.Helper()
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		b.Error(err)
		return
	}
	u := &unstructured.Unstructured{Object: fields}
	u.SetAPIVersion(apiVersion)
	u.SetKind(kind)
	u.SetUID("")
	u.SetResourceVersion("")
	u.SetOwnerReferences(nil)
	gv, _ := schema.ParseGroupVersion(apiVersion)
	api := client.Resource(gv.WithResource(resource)).Namespace(u.GetNamespace())
	made, err := api.Create(context.Background(), u, metav1.CreateOptions{})
	if err != nil {
		b.Errorf("create %s %s: %v", kind, u.GetName(), err)
		return
	}
	if status, ok := u.Object["status"]; ok && kind != "Namespace" {
		made.Object["status"] = status
		if _, err := api.UpdateStatus(context.Background(), made, metav1.UpdateOptions{}); err != nil {
			b.Errorf("status of %s %s: %v", kind, u.GetName(), err)
		}
	}
}

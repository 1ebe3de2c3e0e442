//go:build sandbox

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// benchVariables is half of what Cluster API allows in one class.
const benchVariables = 500

// largeClass has benchVariables variables, every fifth of them with an inside.
func largeClass() *clusterv1.ClusterClass {
	no := false
	cc := &clusterv1.ClusterClass{ObjectMeta: metav1.ObjectMeta{Namespace: benchNamespace, Name: "large"}}
	ref := func(kind string) clusterv1.ClusterClassTemplateReference {
		return clusterv1.ClusterClassTemplateReference{APIVersion: "infrastructure.cluster.x-k8s.io/v1beta2", Kind: kind, Name: "large"}
	}
	cc.Spec.Infrastructure.TemplateRef = ref("DevClusterTemplate")
	cc.Spec.ControlPlane.TemplateRef = ref("DevMachineTemplate")
	cc.Spec.Workers.MachineDeployments = []clusterv1.MachineDeploymentClass{{Class: "worker"}}
	cc.Spec.Workers.MachineDeployments[0].Bootstrap.TemplateRef = ref("DevMachineTemplate")
	cc.Spec.Workers.MachineDeployments[0].Infrastructure.TemplateRef = ref("DevMachineTemplate")
	text := clusterv1.JSONSchemaProps{Type: "string", MaxLength: new(int64(63)), Description: "A text among many."}
	for i := range benchVariables {
		props := text
		if i%5 == 0 {
			props = clusterv1.JSONSchemaProps{Type: "object", Properties: map[string]clusterv1.JSONSchemaProps{
				"name": text, "size": {Type: "integer", Minimum: new(int64(1))}, "tags": {Type: "array", Items: &text},
			}}
		}
		cc.Spec.Variables = append(cc.Spec.Variables, clusterv1.ClusterClassVariable{
			Name: fmt.Sprintf("variable%03d", i), Required: &no, Schema: clusterv1.VariableSchema{OpenAPIV3Schema: props},
		})
	}
	return cc
}

// forms times the form of the largest class and the partial update that typing
// asks for, beside a raw client's reading of the class.
func forms(b *testing.B, t io.Writer, sb *testkit.Sandbox, p *site, client *http.Client) {
	b.Helper()
	if err := put(sb.Client, largeClass(), clusterv1.GroupVersion.String(), "ClusterClass", "clusterclasses"); err != nil {
		b.Fatal(err)
	}
	address := p.URL + "/create/" + benchNamespace + "/large"
	testkit.NewBareWorld(b, sb).Until("the class is seen", func(context.Context) bool {
		resp, err := client.Get(address)
		if err == nil {
			_ = resp.Body.Close()
		}
		return err == nil && resp.StatusCode == http.StatusOK
	})
	classes := sb.Client.Resource(clusterv1.GroupVersion.WithResource("clusterclasses")).Namespace(benchNamespace)
	raw := series(20, func(int) {
		if _, err := classes.Get(context.Background(), "large", metav1.GetOptions{}); err != nil {
			b.Fatal(err)
		}
	})
	fmt.Fprintf(t, "raw get of a class with %d variables\t%s\t%s\t\t\n", benchVariables, ms(median(raw)), ms(p99(raw)))
	whole := series(50, func(int) { get(b, client, address) })
	typed := url.Values{"form": {"bench"}, "name": {"bench"}, "namespace": {benchNamespace}, "version": {"v1.35.0"}, "cp": {"1"}, "do": {"check"}}
	for i := range benchVariables {
		if i%5 != 0 {
			typed.Set(fmt.Sprintf("v.variable%03d", i), "typed")
		}
	}
	update := series(50, func(int) { check(b, client, p.URL, address, typed) })
	fmt.Fprintf(t, "its form\t%s\t%s\t× %.1f of the raw get\t\n", ms(median(whole)), ms(p99(whole)), float64(median(whole))/float64(median(raw)))
	fmt.Fprintf(t, "a partial update while typing\t%s\t%s\t× %.1f of the raw get\t\n", ms(median(update)), ms(p99(update)), float64(median(update))/float64(median(raw)))
}

// check posts the form as the script does while somebody types.
func check(b *testing.B, client *http.Client, origin, address string, typed url.Values) {
	b.Helper()
	req, err := http.NewRequest(http.MethodPost, address, strings.NewReader(typed.Encode()))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", origin)
	req.Header.Set("X-Capstan-Fragment", "create")
	resp, err := client.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		b.Fatalf("a check answers %d", resp.StatusCode)
	}
}

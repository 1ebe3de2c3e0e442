package capi

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/apply"
)

const manifests = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: two.example.io}
spec: {versions: [{name: v1}, {name: v2}]}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: one.example.io, labels: {kept: "true"}}
spec: {versions: [{name: v1}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: hooks}
webhooks:
  - name: a.example.io
    clientConfig: {service: {name: webhook-service, namespace: system, path: /mutate-a}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: pathless}
webhooks:
  - name: a.example.io
    clientConfig: {service: {name: webhook-service}}
`

func TestAdapt(t *testing.T) {
	objects, err := apply.Documents("manifests", []byte(manifests))
	if err != nil {
		t.Fatal(err)
	}
	at := endpoint{url: "https://127.0.0.1:1", ca: []byte("ca")}
	for _, crd := range objects[:2] {
		if err := at.adaptDefinition(crd); err != nil {
			t.Fatal(err)
		}
		if crd.GetLabels()["cluster.x-k8s.io/v1beta2"] != "v1beta2" {
			t.Errorf("%s doesn't name its contract", crd.GetName())
		}
	}
	want(t, objects[0], "https://127.0.0.1:1/convert", "spec", "conversion", "webhook", "clientConfig", "url")
	if _, found, _ := unstructured.NestedMap(objects[1].Object, "spec", "conversion"); found {
		t.Error("a single version needs no conversion")
	}
	if objects[1].GetLabels()["kept"] != "true" {
		t.Error("labels of the manifest are lost")
	}
	if err := at.adaptWebhooks(objects[2]); err != nil {
		t.Fatal(err)
	}
	hooks, _, _ := unstructured.NestedSlice(objects[2].Object, "webhooks")
	want(t, &unstructured.Unstructured{Object: hooks[0].(map[string]any)}, "https://127.0.0.1:1/mutate-a", "clientConfig", "url")
	if err := at.adaptWebhooks(objects[3]); err == nil {
		t.Error("a webhook without a path was accepted")
	}
}

func want(t *testing.T, o *unstructured.Unstructured, value string, path ...string) {
	t.Helper()
	if got, _, _ := unstructured.NestedString(o.Object, path...); got != value {
		t.Errorf("%v is %q, want %q", path, got, value)
	}
}

func TestExtensionConfig(t *testing.T) {
	o := extensionConfig(endpoint{url: "https://127.0.0.1:1", ca: []byte("ca")})
	want(t, o, "https://127.0.0.1:1", "spec", "clientConfig", "url")
	want(t, o, "Y2E=", "spec", "clientConfig", "caBundle")
	want(t, o, "true", "spec", "namespaceSelector", "matchLabels", ExtensionLabel)
	want(t, o, ExtensionName, "spec", "settings", "extensionConfigName")
}

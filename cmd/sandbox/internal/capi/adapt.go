package capi

import (
	"encoding/base64"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// endpoint is where a manager serves its webhooks; no url means that there is
// no manager.
type endpoint struct {
	url string
	ca  []byte
}

func (e endpoint) clientConfig(path string) map[string]any {
	return map[string]any{"url": e.url + path, "caBundle": base64.StdEncoding.EncodeToString(e.ca)}
}

// adaptDefinition does what kustomize does upstream: it adds the conversion
// webhook (without it a v1beta1 manifest loses its references silently) and
// the labels that name the contract's versions.
func (e endpoint) adaptDefinition(crd *unstructured.Unstructured) error {
	labels := crd.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	labels["cluster.x-k8s.io/v1beta1"] = "v1beta1"
	labels["cluster.x-k8s.io/v1beta2"] = "v1beta2"
	crd.SetLabels(labels)
	versions, _, err := unstructured.NestedSlice(crd.Object, "spec", "versions")
	if err != nil || len(versions) < 2 || e.url == "" {
		return err
	}
	return unstructured.SetNestedMap(crd.Object, map[string]any{
		"strategy": "Webhook",
		"webhook": map[string]any{
			"conversionReviewVersions": []any{"v1"},
			"clientConfig":             e.clientConfig("/convert"),
		},
	}, "spec", "conversion")
}

// adaptWebhooks points a webhook configuration at the manager's process.
func (e endpoint) adaptWebhooks(configuration *unstructured.Unstructured) error {
	webhooks, _, err := unstructured.NestedSlice(configuration.Object, "webhooks")
	if err != nil {
		return fmt.Errorf("%s has unreadable webhooks: %w", configuration.GetName(), err)
	}
	for _, w := range webhooks {
		webhook, ok := w.(map[string]any)
		if !ok {
			return fmt.Errorf("%s has an unreadable webhook", configuration.GetName())
		}
		path, _, err := unstructured.NestedString(webhook, "clientConfig", "service", "path")
		if err != nil || path == "" {
			return fmt.Errorf("%s has a webhook without a path", configuration.GetName())
		}
		webhook["clientConfig"] = e.clientConfig(path)
	}
	return unstructured.SetNestedSlice(configuration.Object, webhooks, "webhooks")
}

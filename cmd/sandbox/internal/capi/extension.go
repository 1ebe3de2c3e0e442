package capi

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/hub"
	"github.com/capstan-portal/capstan/cmd/sandbox/internal/process"
)

const (
	// ExtensionName is the runtime extension's name as a program, as a component
	// and as an ExtensionConfig; classes name its handlers as HANDLER.test-extension.
	ExtensionName = "test-extension"
	// ExtensionLabel with the value "true" brings the extension into a namespace.
	// Its lifecycle hooks are called for every cluster there, so that elsewhere it
	// costs nothing.
	ExtensionLabel = "sandbox.capstan.dev/" + ExtensionName
)

// Extension returns Cluster API's test extension as a process, not yet started,
// and the ExtensionConfig to write once both it and the managers run.
func (m *Managers) Extension() (*process.Process, *unstructured.Unstructured, error) {
	ports, err := hub.FreePorts(2)
	if err != nil {
		return nil, nil, err
	}
	// It takes the managers' flags and, without leader election, needs no namespace.
	p := m.manager(provider{name: ExtensionName, namespace: ExtensionName}, ports[0], ports[1], nil)
	return p, extensionConfig(m.endpoint(ports[0])), nil
}

// extensionConfig says where the extension answers. The setting names the
// ConfigMap in which it notes what it was asked; without it every hook fails.
func extensionConfig(at endpoint) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "runtime.cluster.x-k8s.io/v1beta2", "kind": "ExtensionConfig",
		"metadata": map[string]any{"name": ExtensionName},
		"spec": map[string]any{
			"clientConfig":      at.clientConfig(""),
			"namespaceSelector": map[string]any{"matchLabels": map[string]any{ExtensionLabel: "true"}},
			"settings":          map[string]any{"extensionConfigName": ExtensionName},
		},
	}}
}

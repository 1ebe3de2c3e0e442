package capi

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/apply"
	"github.com/capstan-portal/capstan/cmd/sandbox/internal/hub"
	"github.com/capstan-portal/capstan/cmd/sandbox/internal/process"
)

// managerStart bounds the start of one manager on a busy machine.
const managerStart = 2 * time.Minute

// Install installs every provider's manifests and returns the managers, not
// yet started.
func (m *Managers) Install(ctx context.Context) ([]*process.Process, error) {
	list := providers()
	ports, err := hub.FreePorts(2 * len(list))
	if err != nil {
		return nil, err
	}
	first, last, err := hub.WorkloadPorts()
	if err != nil {
		return nil, err
	}
	serving, err := m.Hub.CA.Serving()
	if err != nil {
		return nil, err
	}
	if err := serving.Write(m.certDir(), "webhook"); err != nil {
		return nil, err
	}
	env := []string{fmt.Sprintf("SANDBOX_FIRST_PORT=%d", first), fmt.Sprintf("SANDBOX_LAST_PORT=%d", last)}
	var managers []*process.Process
	var definitions, others []*unstructured.Unstructured
	for i, p := range list {
		at := m.endpoint(ports[2*i])
		crds, webhooks, err := m.manifests(p, at)
		if err != nil {
			return nil, err
		}
		definitions = append(definitions, crds...)
		if m.TypesOnly {
			continue
		}
		others = append(append(others, namespace(p.namespace)), webhooks...)
		managers = append(managers, m.manager(p, ports[2*i], ports[2*i+1], env))
	}
	return managers, m.create(ctx, definitions, others)
}

func (m *Managers) endpoint(port int) endpoint {
	if m.TypesOnly {
		return endpoint{}
	}
	return endpoint{url: fmt.Sprintf("https://127.0.0.1:%d", port), ca: m.Hub.CA.PEM()}
}

// create writes the definitions side by side, the rest after them.
func (m *Managers) create(ctx context.Context, definitions, others []*unstructured.Unstructured) error {
	client, err := dynamic.NewForConfig(m.Hub.Config())
	if err != nil {
		return fmt.Errorf("no client for the hub: %w", err)
	}
	if err := createDefinitions(ctx, client, definitions); err != nil {
		return err
	}
	writer, err := apply.NewClient(m.Hub.Config())
	if err != nil {
		return err
	}
	return writer.ApplyAll(ctx, others)
}

// manifests reads and adapts what a provider's own deployment would install.
func (m *Managers) manifests(p provider, at endpoint) (crds, webhooks []*unstructured.Unstructured, err error) {
	dir := filepath.Join(m.Manifests, p.name)
	files, err := filepath.Glob(filepath.Join(dir, "crd", "*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, nil, fmt.Errorf("no CustomResourceDefinitions of %s in %s: run `sandbox build` again", p.name, dir)
	}
	for _, file := range files {
		objects, err := documents(file)
		if err != nil {
			return nil, nil, err
		}
		for _, object := range objects {
			if err := at.adaptDefinition(object); err != nil {
				return nil, nil, err
			}
		}
		crds = append(crds, objects...)
	}
	webhooks, err = documents(filepath.Join(dir, "webhooks.yaml"))
	if err != nil {
		return nil, nil, err
	}
	for _, object := range webhooks {
		// All providers call their configurations by the same name.
		object.SetName(p.namespace + "-" + object.GetName())
		if err := at.adaptWebhooks(object); err != nil {
			return nil, nil, err
		}
	}
	return crds, webhooks, nil
}

func documents(file string) ([]*unstructured.Unstructured, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("a manifest is missing: %w", err)
	}
	return apply.Documents(file, content)
}

func namespace(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name},
	}}
}

// Start starts the managers side by side and waits for their webhooks.
func Start(ctx context.Context, managers []*process.Process) error {
	ctx, cancel := context.WithTimeout(ctx, managerStart)
	defer cancel()
	started := make(chan error, len(managers))
	for _, p := range managers {
		go func() { started <- p.Start(ctx) }()
	}
	var failed error
	for range managers {
		if err := <-started; err != nil && failed == nil {
			failed = err
			cancel() // the others needn't go on
		}
	}
	return failed
}

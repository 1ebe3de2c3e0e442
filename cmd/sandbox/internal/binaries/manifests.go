package binaries

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Modules and folders of the managers' manifests and of the Docker provider.
const (
	capiModule = "sigs.k8s.io/cluster-api"
	testModule = "sigs.k8s.io/cluster-api/test"
	dockerPath = "infrastructure/docker"
)

// copyManifests takes CustomResourceDefinitions and webhooks out of the
// modules, so that a warm start needs neither the go command nor its cache.
// It returns the folder of the Docker provider's source.
func (b builder) copyManifests(ctx context.Context) (string, error) {
	capi, err := b.goTool(ctx, capiModule, "list", "-m", "-f", "{{.Dir}}", capiModule)
	if err != nil {
		return "", err
	}
	test, err := b.goTool(ctx, testModule, "list", "-m", "-f", "{{.Dir}}", testModule)
	if err != nil {
		return "", err
	}
	docker := filepath.Join(test, dockerPath)
	for name, config := range map[string]string{
		"capi-core": filepath.Join(capi, "core", "config"),
		"cabpk":     filepath.Join(capi, "bootstrap", "kubeadm", "config"),
		"kcp":       filepath.Join(capi, "controlplane", "kubeadm", "config"),
		"capd":      filepath.Join(docker, "config"),
	} {
		if err := copyConfig(config, filepath.Join(b.set.Manifests(), name)); err != nil {
			return "", err
		}
	}
	return docker, nil
}

func copyConfig(from, to string) error {
	files, err := filepath.Glob(filepath.Join(from, "crd", "bases", "*.yaml"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no CustomResourceDefinitions in %s", from)
	}
	if err := os.MkdirAll(filepath.Join(to, "crd"), 0o755); err != nil {
		return explain("the manifests", err, "")
	}
	for _, file := range files {
		if err := copyFile(file, filepath.Join(to, "crd", filepath.Base(file))); err != nil {
			return err
		}
	}
	return copyFile(filepath.Join(from, "webhook", "manifests.yaml"), filepath.Join(to, "webhooks.yaml"))
}

func copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("a manifest can't be read: %w", err)
	}
	return explain(to, os.WriteFile(to, content, 0o644), "")
}

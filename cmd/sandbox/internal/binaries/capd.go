package binaries

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// The Docker provider's in-memory backend binds fixed ports for its debug
// server and its workload clusters, so two sandboxes on one machine would
// collide. Its library takes other ports as an option, which its main doesn't
// offer: our copy of that main passes them from the environment.
const (
	original    = "inmemoryserver.NewWorkloadClustersMux(inMemoryManager, podIP)"
	replacement = "inmemoryserver.NewWorkloadClustersMux(inMemoryManager, podIP, sandboxPorts())"
	portsSource = `package main

import (
	"fmt"
	"os"

	inmemoryserver "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/server"
)

// sandboxPorts reads the window of ports that this sandbox may use. The debug
// server binds the first one for as long as the manager runs.
func sandboxPorts() inmemoryserver.CustomPorts {
	var first, last int32
	for name, port := range map[string]*int32{"SANDBOX_FIRST_PORT": &first, "SANDBOX_LAST_PORT": &last} {
		if _, err := fmt.Sscan(os.Getenv(name), port); err != nil {
			fmt.Fprintln(os.Stderr, name, "must be a port:", err)
			os.Exit(1)
		}
	}
	return inmemoryserver.CustomPorts{DebugPort: first, MinPort: first + 1, MaxPort: last}
}
`
)

// writeCapd writes the main package of the in-memory provider into work.
func writeCapd(work, providerDir string) error {
	source, err := os.ReadFile(filepath.Join(providerDir, "main.go"))
	if err != nil {
		return fmt.Errorf("the Docker provider's source is missing: %w", err)
	}
	if bytes.Count(source, []byte(original)) != 1 {
		return fmt.Errorf("the Docker provider has changed: %s/main.go no longer makes its ports with %q", providerDir, original)
	}
	source = bytes.ReplaceAll(source, []byte(original), []byte(replacement))
	dir := filepath.Join(work, "capd")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), source, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "ports.go"), []byte(portsSource), 0o644)
}

// Package capi installs the unmodified Cluster API managers into a hub: their
// CustomResourceDefinitions, their webhooks, and the managers as processes.
package capi

import (
	"fmt"
	"path/filepath"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/hub"
	"github.com/capstan-portal/capstan/cmd/sandbox/internal/process"
)

// provider is one manager as its upstream manifests would deploy it.
type provider struct {
	name      string // of the binary and of the folder with its manifests
	namespace string
	gates     string
}

// providers lists the core manager first: its types are used by the others.
func providers() []provider {
	return []provider{
		// RuntimeSDK allows classes with external patches and chained upgrades.
		{"capi-core", "capi-system", "ClusterTopology=true,MachinePool=true,RuntimeSDK=true"},
		{"cabpk", "capi-kubeadm-bootstrap-system", "MachinePool=true"},
		{"kcp", "capi-kubeadm-control-plane-system", "ClusterTopology=true"},
		{"capd", "capd-system", "ClusterTopology=true,MachinePool=true"},
	}
}

// Names are the managers' names, in the order of their start.
func Names() []string {
	var names []string
	for _, p := range providers() {
		names = append(names, p.name)
	}
	return names
}

// Managers prepares installation below dir.
type Managers struct {
	// Dir receives certificates and logs.
	Dir string
	// Programs is the folder of the managers' binaries, Manifests holds for
	// each manager a folder with crd/*.yaml and webhooks.yaml.
	Programs, Manifests string
	// Hub is the control plane to install into.
	Hub *hub.Hub
	// Spawner and Lost are handed to every process.
	Spawner *process.Spawner
	Lost    func(name string, err error)
	// TypesOnly installs the types and nothing that reacts to objects: large
	// fleets are simulated by writing their status.
	TypesOnly bool
}

// manager builds the process of one provider.
func (m *Managers) manager(p provider, webhookPort, healthPort int, env []string) *process.Process {
	return &process.Process{
		Label:   p.name,
		Path:    filepath.Join(m.Programs, p.name),
		LogFile: filepath.Join(m.Dir, "logs", p.name+".log"),
		Args: []string{
			"--kubeconfig=" + m.Hub.Kubeconfig,
			fmt.Sprintf("--webhook-port=%d", webhookPort),
			"--webhook-cert-dir=" + m.certDir(),
			"--webhook-cert-name=webhook.crt",
			"--webhook-key-name=webhook.key",
			"--diagnostics-address=127.0.0.1:0",
			"--insecure-diagnostics=true",
			fmt.Sprintf("--health-addr=127.0.0.1:%d", healthPort),
			"--leader-elect=false",
			"--feature-gates=" + p.gates,
		},
		Env: append([]string{
			"POD_NAMESPACE=" + p.namespace,
			"POD_NAME=" + p.name,
			"POD_UID=0000-" + p.name,
			"POD_IP=127.0.0.1", // the address of the in-memory workload clusters
		}, env...),
		// Managers report ready only once their webhook server answers.
		Ready:   hub.Answers(fmt.Sprintf("http://127.0.0.1:%d/readyz", healthPort)),
		Lost:    m.Lost,
		Spawner: m.Spawner,
	}
}

func (m *Managers) certDir() string { return filepath.Join(m.Dir, "certs") }

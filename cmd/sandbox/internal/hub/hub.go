// Package hub runs a Kubernetes control plane without machines: etcd,
// kube-apiserver, and of kube-controller-manager only what a management
// cluster needs. All of it is plain processes on the loopback interface.
package hub

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/rest"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/pki"
	"github.com/capstan-portal/capstan/cmd/sandbox/internal/process"
)

// Programs are the paths of the binaries that a hub needs.
type Programs struct {
	Etcd, APIServer, ControllerManager string
}

// Hub is a control plane. Its parts are processes that can be stopped and
// started one by one; ports, certificates and data stay.
type Hub struct {
	Etcd, APIServer, ControllerManager *process.Process
	// Kubeconfig is the path of the administrator's kubeconfig.
	Kubeconfig string
	// CA is the certificate authority of API server and webhooks.
	CA *pki.Authority

	dir    string
	url    string
	config *rest.Config
}

// startTimeout bounds the start of one component on a busy machine.
const startTimeout = 90 * time.Second

// New prepares certificates, ports and processes below dir; it starts nothing.
func New(dir string, programs Programs, spawner *process.Spawner, lost func(string, error)) (*Hub, error) {
	ports, err := FreePorts(3)
	if err != nil {
		return nil, err
	}
	ca, err := pki.NewAuthority("capstan-sandbox")
	if err != nil {
		return nil, err
	}
	h := &Hub{dir: dir, CA: ca, url: fmt.Sprintf("https://127.0.0.1:%d", ports[2]), Kubeconfig: filepath.Join(dir, "kubeconfig")}
	if err := h.writeCertificates(); err != nil {
		return nil, err
	}
	child := func(name, path string, args []string, ready func(context.Context) error) *process.Process {
		return &process.Process{
			Label: name, Path: path, Args: args, Ready: ready, Lost: lost, Spawner: spawner,
			LogFile: filepath.Join(dir, "logs", name+".log"),
		}
	}
	etcdURL := fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	h.Etcd = child("etcd", programs.Etcd, h.etcdArgs(etcdURL, ports[1]), answers(etcdURL+"/health", nil))
	h.APIServer = child("kube-apiserver", programs.APIServer, h.apiServerArgs(etcdURL, ports[2]), h.apiServerReady)
	// It would wait a minute for the watches of managers that still run; its
	// state is in etcd, so nothing is lost when it is killed.
	h.APIServer.Grace = 3 * time.Second
	h.ControllerManager = child("kube-controller-manager", programs.ControllerManager, h.controllerManagerArgs(), nil)
	return h, nil
}

// URL is the address of the API server.
func (h *Hub) URL() string { return h.url }

// Config is the administrator's client configuration.
func (h *Hub) Config() *rest.Config { return rest.CopyConfig(h.config) }

// Start starts etcd, the API server and the controllers.
func (h *Hub) Start(ctx context.Context) error {
	for _, p := range []*process.Process{h.Etcd, h.APIServer, h.ControllerManager} {
		ctx, cancel := context.WithTimeout(ctx, startTimeout)
		err := p.Start(ctx)
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

func (h *Hub) writeCertificates() error {
	dir := filepath.Join(h.dir, "certs")
	serving, err := h.CA.Serving()
	if err != nil {
		return err
	}
	admin, err := h.CA.Client("sandbox-admin", "system:masters")
	if err != nil {
		return err
	}
	tokens, err := h.CA.Client("service-account-tokens")
	if err != nil {
		return err
	}
	for base, pair := range map[string]pki.Pair{"apiserver": serving, "admin": admin, "sa": tokens} {
		if err := pair.Write(dir, base); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "ca.crt"), h.CA.PEM(), 0o600); err != nil {
		return fmt.Errorf("certificate authority can't be written: %w", err)
	}
	h.config = &rest.Config{
		Host: h.url, QPS: 200, Burst: 400,
		TLSClientConfig: rest.TLSClientConfig{CAData: h.CA.PEM(), CertData: admin.Cert, KeyData: admin.Key},
	}
	return writeAdminKubeconfig(h.Kubeconfig, h.config)
}

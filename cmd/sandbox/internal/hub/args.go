package hub

import (
	"fmt"
	"path/filepath"
)

func (h *Hub) etcdArgs(clientURL string, peerPort int) []string {
	peer := fmt.Sprintf("http://127.0.0.1:%d", peerPort)
	return []string{
		"--name=sandbox",
		"--data-dir=" + filepath.Join(h.dir, "etcd"),
		"--listen-client-urls=" + clientURL,
		"--advertise-client-urls=" + clientURL,
		"--listen-peer-urls=" + peer,
		"--initial-advertise-peer-urls=" + peer,
		"--initial-cluster=sandbox=" + peer,
		"--unsafe-no-fsync", // the data never outlives the sandbox
	}
}

func (h *Hub) apiServerArgs(etcdURL string, port int) []string {
	cert := func(name string) string { return filepath.Join(h.dir, "certs", name) }
	return []string{
		"--etcd-servers=" + etcdURL,
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none", // a Service must not point at loopback
		fmt.Sprintf("--secure-port=%d", port),
		"--cert-dir=" + filepath.Join(h.dir, "certs"),
		"--tls-cert-file=" + cert("apiserver.crt"),
		"--tls-private-key-file=" + cert("apiserver.key"),
		"--client-ca-file=" + cert("ca.crt"),
		"--service-account-issuer=" + h.url,
		"--service-account-key-file=" + cert("sa.crt"),
		"--service-account-signing-key-file=" + cert("sa.key"),
		"--service-cluster-ip-range=10.0.0.0/24",
		"--authorization-mode=RBAC",
		"--allow-privileged=true",
		// No controller makes default ServiceAccounts here, and no pod needs one.
		"--disable-admission-plugins=ServiceAccount",
	}
}

// controllerManagerArgs turns on what keeps a management cluster tidy: without
// garbage collection the Secrets of a deleted cluster would poison the next
// one of the same name, and namespaces would stay Terminating.
func (h *Hub) controllerManagerArgs() []string {
	return []string{
		"--kubeconfig=" + h.Kubeconfig,
		"--controllers=garbage-collector-controller,namespace-controller,resourcequota-controller,clusterrole-aggregation-controller",
		"--leader-elect=false",
		"--bind-address=127.0.0.1",
		"--secure-port=0",
	}
}

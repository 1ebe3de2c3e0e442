//go:build sandbox

package testkit

import (
	"encoding/json"
	"os"
	"testing"

	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
)

// SandboxEnv names the variable that holds the path of a running sandbox's
// sandbox.json; `sandbox up … -- COMMAND` sets it.
const SandboxEnv = "CAPSTAN_SANDBOX"

// Sandbox is a running real management cluster.
type Sandbox struct {
	Kubeconfig       string `json:"kubeconfig"`       // admin
	PortalKubeconfig string `json:"portalKubeconfig"` // ServiceAccount of deploy/
	Issuer           string `json:"issuer"`
	ClientID         string `json:"clientID"`
	ClientSecret     string `json:"clientSecret"`
	Control          string `json:"control"` // socket that stops and starts components

	// Admin may do everything.
	Admin  *rest.Config       `json:"-"`
	Client dynamic.Interface  `json:"-"`
	Mapper apimeta.RESTMapper `json:"-"`
}

// SharedSandbox is the sandbox of this test run; it fails the test where there
// is none.
func SharedSandbox(t testing.TB) *Sandbox {
	t.Helper()
	path := os.Getenv(SandboxEnv)
	if path == "" {
		t.Fatalf("this test needs a running sandbox: run `make test`, or set %s to the sandbox.json of one", SandboxEnv)
	}
	return OpenSandbox(t, path)
}

// OpenSandbox reads the sandbox.json at path and makes the admin's clients.
func OpenSandbox(t testing.TB, path string) *Sandbox {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("sandbox file: %v", err)
	}
	sb := &Sandbox{}
	if err := json.Unmarshal(raw, sb); err != nil {
		t.Fatalf("sandbox file %s: %v", path, err)
	}
	if sb.Admin, err = clientcmd.BuildConfigFromFlags("", sb.Kubeconfig); err != nil {
		t.Fatalf("sandbox kubeconfig: %v", err)
	}
	sb.Admin.QPS, sb.Admin.Burst = 200, 400
	sb.Client = dynamic.NewForConfigOrDie(sb.Admin)
	disco := memory.NewMemCacheClient(discovery.NewDiscoveryClientForConfigOrDie(sb.Admin))
	sb.Mapper = restmapper.NewDeferredDiscoveryRESTMapper(disco)
	return sb
}

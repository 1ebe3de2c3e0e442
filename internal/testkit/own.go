//go:build sandbox

package testkit

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// SandboxProgramEnv names the variable that holds the path of the sandbox's
// program; bin/sandbox of the clone by default, where `make test` builds it.
const SandboxProgramEnv = "CAPSTAN_SANDBOX_BIN"

// OwnSandbox starts a sandbox for one test, for tests that stop components. It
// ends with the test. args are further arguments of `sandbox up`.
func OwnSandbox(t *testing.T, args ...string) *Sandbox {
	t.Helper()
	program := os.Getenv(SandboxProgramEnv)
	if program == "" {
		program = filepath.Join(Root(t), "bin", "sandbox")
	}
	dir, err := os.MkdirTemp("", "sandbox") // short: sockets have short paths
	if err != nil {
		t.Fatal(err)
	}
	args = append([]string{"up", "--dir", dir, "--seed", "none", "--deploy", filepath.Join(Root(t), "deploy")}, args...)
	cmd := exec.Command(program, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGINT} // a test that is killed leaves nothing behind
	log := &strings.Builder{}
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatalf("this test starts a sandbox of its own: run `make test`, which builds %s: %v", program, err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		_ = cmd.Wait()
		_ = os.RemoveAll(dir)
	})
	ready := struct{ File string }{}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &ready)
	}
	if err != nil {
		t.Fatalf("the sandbox did not come up: %v\n%s", err, log)
	}
	return OpenSandbox(t, ready.File)
}

// Stop ends a component, for example kube-apiserver; Start brings it back.
func (sb *Sandbox) Stop(t *testing.T, component string) { sb.steer(t, component, "stop") }

// Start brings a stopped component back and waits until it answers.
func (sb *Sandbox) Start(t *testing.T, component string) { sb.steer(t, component, "start") }

// Disable shuts an account out at the identity provider.
func (sb *Sandbox) Disable(t *testing.T, account string) {
	t.Helper()
	sb.order(t, "/accounts/"+account+"/disable")
}

// Settings are the portal's settings for this sandbox, as CAPSTAN_… pairs.
func (sb *Sandbox) Settings() []string {
	return []string{
		"CAPSTAN_KUBECONFIG=" + sb.PortalKubeconfig, "CAPSTAN_OIDC_ISSUER=" + sb.Issuer,
		"CAPSTAN_OIDC_CLIENT_ID=" + sb.ClientID, "CAPSTAN_OIDC_CLIENT_SECRET=" + sb.ClientSecret,
	}
}

func (sb *Sandbox) steer(t *testing.T, component, verb string) {
	t.Helper()
	sb.order(t, "/components/"+component+"/"+verb)
}

func (sb *Sandbox) order(t *testing.T, path string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", sb.Control)
		},
	}}
	response, err := client.Post("http://sandbox"+path, "", nil)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusBadRequest {
		t.Fatalf("%s: %s", path, response.Status)
	}
}

package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/apply"
)

// small is a cluster of the catalogue whose machines start at once.
const small = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: small, namespace: team-a}
spec:
  topology:
    classRef: {name: standard, namespace: catalog}
    version: v1.36.0
    controlPlane: {replicas: 1}
    variables: [{name: workerStartup, value: 1s}, {name: controlPlaneStartup, value: 1s}]
    workers:
      machineDeployments: [{class: worker, name: md-0, replicas: 1}]
`

// TestSandbox walks through one sandbox in the order in which people meet it.
func TestSandbox(t *testing.T) {
	r := start(t, "--seed=classes")
	t.Run("rights of the portal", func(t *testing.T) { portalRights(t, r) })
	t.Run("rights of people", func(t *testing.T) { peopleRights(t, r) })
	t.Run("identity provider", func(t *testing.T) { providerAnswers(t, r) })
	t.Run("a second sandbox", func(t *testing.T) { secondSandbox(t) })
	t.Run("a cluster becomes available", func(t *testing.T) { clusterBecomesAvailable(t, r) })
	t.Run("API server stops and starts", func(t *testing.T) { apiServerStopsAndStarts(t, r) })
	t.Run("a component that dies is started again", func(t *testing.T) { diesAndReturns(t, r) })
	t.Run("killed", func(t *testing.T) { childrenDieWithParent(t, r) })
}

func providerAnswers(t *testing.T, r *running) {
	res, err := http.Get(r.Issuer + "/.well-known/openid-configuration")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var document struct {
		Issuer     string `json:"issuer"`
		EndSession string `json:"end_session_endpoint"`
	}
	if err := json.NewDecoder(res.Body).Decode(&document); err != nil || document.Issuer != r.Issuer || document.EndSession == "" {
		t.Errorf("discovery says %+v (%v)", document, err)
	}
	for _, command := range [][]string{{"account", "disable", "viewer"}, {"account", "enable", "viewer"}} {
		if err := run(t.Context(), append(command, "--dir", r.dir)); err != nil {
			t.Errorf("%v: %v", command, err)
		}
	}
}

// secondSandbox checks that two run side by side, ports of workload clusters
// included.
func secondSandbox(t *testing.T) {
	second := start(t, "--seed=none")
	if !alive(second.PIDs["capd"]) {
		t.Error("the second sandbox's in-memory provider doesn't run")
	}
}

func clusterBecomesAvailable(t *testing.T, r *running) {
	cluster, err := apply.Documents("small", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	// Written as the person and through the portal, as the portal does it.
	person := objects(t, r.as("oidc:team-a-dev", "oidc:team-a")).Resource(clusters()).Namespace("team-a")
	eventually(t, 3*time.Minute, "the class is ready", func() bool {
		_, err := person.Create(t.Context(), cluster[0], metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err == nil && classReady(t, r)
	})
	if _, err := person.Create(t.Context(), cluster[0], metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, 6*time.Minute, "the cluster is available", func() bool {
		now, err := person.Get(t.Context(), "small", metav1.GetOptions{})
		return err == nil && apply.ConditionTrue("Available")(now)
	})
}

func classReady(t *testing.T, r *running) bool {
	classes := clusters()
	classes.Resource = "clusterclasses"
	class, err := objects(t, r.config(r.Kubeconfig)).Resource(classes).Namespace("catalog").Get(t.Context(), "standard", metav1.GetOptions{})
	return err == nil && apply.ConditionTrue("VariablesReady")(class)
}

func apiServerStopsAndStarts(t *testing.T, r *running) {
	admin := r.admin()
	if err := run(t.Context(), []string{"stop", "kube-apiserver", "--dir", r.dir}); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.CoreV1().Namespaces().Get(t.Context(), "team-a", metav1.GetOptions{}); err == nil {
		t.Error("the API server still answers")
	}
	if err := run(t.Context(), []string{"start", "kube-apiserver", "--dir", r.dir}); err != nil {
		t.Fatal(err)
	}
	// Same client, same address, same certificates, same data.
	if _, err := admin.CoreV1().Namespaces().Get(t.Context(), "team-a", metav1.GetOptions{}); err != nil {
		t.Errorf("after the restart: %v", err)
	}
	portalRights(t, r)
	if err := run(t.Context(), []string{"start", "kube-apiserver", "--dir", r.dir}); err == nil {
		t.Error("it was started twice")
	}
	garbageIsCollected(t, r)
}

// garbageIsCollected checks that the controllers have found the API server
// again: a namespace really goes away.
func garbageIsCollected(t *testing.T, r *running) {
	admin := r.admin()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "passing"}}
	if _, err := admin.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := admin.CoreV1().Namespaces().Delete(t.Context(), "passing", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, 3*time.Minute, "the namespace is gone", func() bool {
		_, err := admin.CoreV1().Namespaces().Get(t.Context(), "passing", metav1.GetOptions{})
		return err != nil
	})
}

func diesAndReturns(t *testing.T, r *running) {
	if err := syscall.Kill(r.PIDs["cabpk"], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	config := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "bootstrap.cluster.x-k8s.io/v1beta2", "kind": "KubeadmConfig",
		"metadata": map[string]any{"name": "probe", "namespace": "team-a"}, "spec": map[string]any{"format": "cloud-config"},
	}}
	resource := clusters()
	resource.Group, resource.Resource = "bootstrap.cluster.x-k8s.io", "kubeadmconfigs"
	admin := objects(t, r.config(r.Kubeconfig)).Resource(resource).Namespace("team-a")
	eventually(t, 3*time.Minute, "its webhook answers again", func() bool {
		_, err := admin.Create(t.Context(), config, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if apierrors.IsInvalid(err) {
			t.Fatal(err)
		}
		return err == nil
	})
}

func childrenDieWithParent(t *testing.T, r *running) {
	description, err := readDescription(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-r.done
	for name, pid := range description.PIDs {
		eventually(t, 10*time.Second, name+" is gone", func() bool { return !alive(pid) })
	}
}

// TestInterrupt checks the orderly end.
func TestInterrupt(t *testing.T) {
	r := start(t, "--seed=none", "--managers=false")
	if err := r.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-r.done
	if code := r.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d\n%s", code, r.log)
	}
	for name, pid := range r.PIDs {
		if alive(pid) {
			t.Errorf("%s is left behind", name)
		}
	}
	if _, err := readDescription(r.dir); err == nil {
		t.Error("sandbox.json is left behind")
	}
}

// TestInterruptedCommand checks that a command is ended with the sandbox, and
// that its exit code stays the sandbox's: tests that were cut off haven't passed.
func TestInterruptedCommand(t *testing.T) {
	started := filepath.Join(t.TempDir(), "started")
	r := start(t, "--seed=none", "--managers=false", "--", "sh", "-c",
		"trap 'exit 7' TERM; touch "+started+"; while :; do sleep 0.1; done")
	eventually(t, 10*time.Second, "the command runs", func() bool { _, err := os.Stat(started); return err == nil })
	if err := r.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-r.done
	if code := r.cmd.ProcessState.ExitCode(); code != 7 {
		t.Errorf("exit code %d, want the command's 7\n%s", code, r.log)
	}
}

// TestTakenPort checks that a taken port becomes one clear sentence.
func TestTakenPort(t *testing.T) {
	server := http.Server{}
	listener := listen(t)
	go server.Serve(listener) //nolint:errcheck // ends with the test
	defer server.Close()
	cmd := program("up", "--dir", t.TempDir(), "--seed=none", "--issuer-port", port(listener))
	out, err := cmd.CombinedOutput()
	if err == nil || !contains(out, "is taken: choose another with --issuer-port") {
		t.Errorf("%v: %s", err, out)
	}
}

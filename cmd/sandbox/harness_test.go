package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// running is a sandbox in a process of its own, as people run it.
type running struct {
	Description
	t    *testing.T
	dir  string
	cmd  *exec.Cmd
	done chan struct{}
	log  *logBuffer
}

type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// beProgram makes the test binary behave as the sandbox.
const beProgram = "SANDBOX_TEST_BE_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(beProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program is the sandbox's own program, in this very binary.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), beProgram+"=1")
	return cmd
}

// start runs `sandbox up` and waits for the ready line.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	if testing.Short() {
		t.Skip("runs a management cluster")
	}
	r := &running{t: t, dir: t.TempDir(), done: make(chan struct{}), log: &logBuffer{}}
	r.cmd = program(append([]string{"up", "--dir", r.dir}, args...)...)
	r.cmd.Stderr = r.log
	stdout, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.stop)
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	go func() { r.cmd.Wait(); close(r.done) }() //nolint:errcheck // how it ends is each test's matter
	if err != nil {
		t.Fatalf("the sandbox isn't ready: %v\n%s", err, r.log)
	}
	var ready struct {
		Ready bool
		File  string
	}
	if err := json.Unmarshal(line, &ready); err != nil || !ready.Ready {
		t.Fatalf("ready line is %q (%v)", line, err)
	}
	if r.Description, err = readDescription(filepath.Dir(ready.File)); err != nil {
		t.Fatal(err)
	}
	return r
}

// stop ends the sandbox as Ctrl-C would.
func (r *running) stop() {
	defer func() {
		if r.t.Failed() {
			r.t.Log(r.log)
		}
	}()
	select {
	case <-r.done:
		return
	default:
	}
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		r.t.Error(err)
	}
	select {
	case <-r.done:
	case <-time.After(shutdownLimit):
		r.t.Error("the sandbox doesn't end")
		r.cmd.Process.Kill() //nolint:errcheck // the last resort
	}
}

func (r *running) config(kubeconfig string) *rest.Config {
	r.t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		r.t.Fatal(err)
	}
	config.QPS, config.Burst = 100, 200
	return config
}

func (r *running) admin() kubernetes.Interface { return clientset(r.t, r.config(r.Kubeconfig)) }

// as is the portal acting as a person.
func (r *running) as(user string, groups ...string) *rest.Config {
	config := r.config(r.PortalKubeconfig)
	config.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: groups}
	return config
}

func clientset(t *testing.T, config *rest.Config) kubernetes.Interface {
	t.Helper()
	c, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func objects(t *testing.T, config *rest.Config) dynamic.Interface {
	t.Helper()
	c, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// eventually waits until something holds.
func eventually(t *testing.T, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 250*time.Millisecond, limit, true, wait.ConditionFunc(func() (bool, error) { return holds(), nil }).WithContext())
	if err != nil {
		t.Fatalf("%s: not within %s", what, limit)
	}
}

// alive tells whether a process exists and isn't a zombie.
func alive(pid int) bool {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(status), ") Z ")
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func port(l net.Listener) string { return strconv.Itoa(l.Addr().(*net.TCPAddr).Port) }

func contains(out []byte, text string) bool { return strings.Contains(string(out), text) }

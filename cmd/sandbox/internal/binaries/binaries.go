// Package binaries builds the programs of a management cluster from the Go
// module proxy and keeps them in the user's cache, so that every clone of the
// project on a machine shares one build.
package binaries

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// pins holds the go.mod and go.sum of the programs. They are a module of their
// own: a newer library in the sandbox itself must not rebuild kube-apiserver.
// Change them with `go get -modfile=upstream.mod …`.
//
//go:embed upstream.mod upstream.sum
var pins embed.FS

// program is one binary and what it takes to build it.
type program struct {
	name    string
	pkg     string
	ldflags string
	minutes int // of one core, for the estimate at the first build
}

// kubeVersion links the version into Kubernetes' programs; built from the
// module they would call themselves v0.0.0, which Cluster API refuses.
const kubeVersion = " -X k8s.io/component-base/version.gitVersion=v1.36.3" +
	" -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36"

// stripped leaves out what only a debugger reads.
const stripped = "-s -w"

func programs() []program {
	return []program{
		{"kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver", stripped + kubeVersion, 8},
		{"kube-controller-manager", "k8s.io/kubernetes/cmd/kube-controller-manager", stripped + kubeVersion, 3},
		{"etcd", "go.etcd.io/etcd/server/v3", stripped, 1},
		{"capi-core", "sigs.k8s.io/cluster-api/core", stripped, 4},
		{"cabpk", "sigs.k8s.io/cluster-api/bootstrap/kubeadm", stripped, 1},
		{"kcp", "sigs.k8s.io/cluster-api/controlplane/kubeadm", stripped, 1},
		{"capd", "./capd", stripped, 1},
	}
}

// Set is a complete set of programs on disk.
type Set struct {
	dir    string
	assets string // KUBEBUILDER_ASSETS, or empty
}

// Path is where a program lies.
func (s Set) Path(name string) string {
	if s.assets != "" && (name == "etcd" || name == "kube-apiserver") {
		return filepath.Join(s.assets, name)
	}
	return filepath.Join(s.dir, "bin", name)
}

// Bin is the folder of the built programs.
func (s Set) Bin() string { return filepath.Join(s.dir, "bin") }

// Manifests is the folder of the managers' manifests.
func (s Set) Manifests() string { return filepath.Join(s.dir, "manifests") }

// complete tells whether everything is there.
func (s Set) complete() bool { return exists(filepath.Join(s.dir, "complete")) }

// Locate names the folder for this very build; assets is the value of
// KUBEBUILDER_ASSETS.
func Locate(assets string) (Set, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return Set{}, fmt.Errorf("no cache folder: set HOME or XDG_CACHE_HOME (%w)", err)
	}
	key, err := key(assets != "")
	if err != nil {
		return Set{}, err
	}
	return Set{dir: filepath.Join(cache, "capstan", "sandbox", key), assets: assets}, nil
}

// key changes when any version, compiler or flag of the build does.
func key(withAssets bool) (string, error) {
	hash := sha256.New()
	for _, name := range []string{"upstream.mod", "upstream.sum"} {
		content, err := pins.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("no pinned versions: %w", err)
		}
		hash.Write(content)
	}
	fmt.Fprintln(hash, runtime.Version(), runtime.GOOS, runtime.GOARCH, withAssets, replacement)
	for _, p := range programs() {
		fmt.Fprintln(hash, p.name, p.pkg, p.ldflags)
	}
	return hex.EncodeToString(hash.Sum(nil))[:16], nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// Package portal gives the portal the access that deploy/ grants it: the same
// RBAC as in production, and a token that is short-lived as there, renewed in
// a file that clients read again and again.
package portal

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/apply"
)

// Namespace and ServiceAccount are those of deploy/.
const (
	Namespace      = "capstan-system"
	ServiceAccount = "capstan"
)

// retryAfter is the pause after a renewal that failed, for instance because
// the API server is stopped.
const retryAfter = 2 * time.Second

// Manifests reads the parts of deploy/ that a portal needs which runs outside
// the cluster: everything but workloads.
func Manifests(deploy string, overlays ...string) ([]*unstructured.Unstructured, error) {
	files, err := filepath.Glob(filepath.Join(deploy, "base", "*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no manifests in %s/base: pass the deploy folder of the clone with --deploy", deploy)
	}
	for _, overlay := range overlays {
		files = append(files, filepath.Join(deploy, "overlays", overlay, "impersonation.yaml"))
	}
	wanted := []string{"Namespace", "ServiceAccount", "ClusterRole", "ClusterRoleBinding"}
	var objects []*unstructured.Unstructured
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("a manifest is missing: %w", err)
		}
		if filepath.Base(file) == "kustomization.yaml" {
			continue
		}
		found, err := apply.Documents(file, content)
		if err != nil {
			return nil, err
		}
		objects = append(objects, slices.DeleteFunc(found, func(o *unstructured.Unstructured) bool {
			return !slices.Contains(wanted, o.GetKind())
		})...)
	}
	// A namespace must exist before what lives in it.
	slices.SortStableFunc(objects, func(a, b *unstructured.Unstructured) int {
		return slices.Index(wanted, a.GetKind()) - slices.Index(wanted, b.GetKind())
	})
	return objects, nil
}

// Token keeps a token of the portal's ServiceAccount in a file.
type Token struct {
	File   string
	TTL    time.Duration
	client kubernetes.Interface
}

// NewToken prepares a token; config is the administrator's.
func NewToken(config *rest.Config, file string, ttl time.Duration) (*Token, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("no client for tokens: %w", err)
	}
	return &Token{File: file, TTL: ttl, client: client}, nil
}

// Renew asks for a token and puts it into the file in one step.
func (t *Token) Renew(ctx context.Context) error {
	seconds := int64(t.TTL.Seconds())
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &seconds}}
	answer, err := t.client.CoreV1().ServiceAccounts(Namespace).CreateToken(ctx, ServiceAccount, request, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("no token for the portal: %w", err)
	}
	temporary := t.File + ".new"
	if err := os.WriteFile(temporary, []byte(answer.Status.Token), 0o600); err != nil {
		return fmt.Errorf("the portal's token can't be written: %w", err)
	}
	return os.Rename(temporary, t.File)
}

// Keep renews the token at a third of its life until ctx is done. Clients read
// the file at most a minute late, which leaves time for several attempts.
func (t *Token) Keep(ctx context.Context, out io.Writer) {
	timer := time.NewTimer(t.TTL / 3)
	defer timer.Stop()
	for failed := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		err := t.Renew(ctx)
		if err == nil {
			timer.Reset(t.TTL / 3)
		} else {
			timer.Reset(retryAfter)
		}
		if err != nil && !failed && ctx.Err() == nil {
			fmt.Fprintln(out, "the portal's token waits to be renewed:", err)
		}
		failed = err != nil
	}
}

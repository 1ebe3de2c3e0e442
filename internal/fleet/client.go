package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/transport"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

const (
	manager      = "capstan" // field manager and reporting component
	startTimeout = 5 * time.Second
)

// clients makes REST clients, all over one connection pool.
type clients struct {
	config *rest.Config
	base   http.RoundTripper // with the portal's own credentials
	scheme *runtime.Scheme
	codecs serializer.CodecFactory
}

func dial(cfg Config) (*clients, error) {
	config, err := restConfig(cfg)
	if err != nil {
		return nil, fail.Wrap(err, fail.Unavailable, message.New("fleet.bad-kubeconfig"))
	}
	// The API server's own priority and fairness decides, not the client.
	config.QPS = -1
	config.UserAgent = manager
	base, err := rest.TransportFor(config)
	if err != nil {
		return nil, fail.Wrap(err, fail.Unavailable, message.New("fleet.bad-kubeconfig"))
	}
	scheme := runtime.NewScheme()
	add := runtime.NewSchemeBuilder(clusterv1.AddToScheme, corev1.AddToScheme, rbacv1.AddToScheme, authorizationv1.AddToScheme)
	if err := add.AddToScheme(scheme); err != nil {
		return nil, err
	}
	return &clients{config: config, base: base, scheme: scheme, codecs: serializer.NewCodecFactory(scheme)}, nil
}

func restConfig(cfg Config) (*rest.Config, error) {
	if cfg.InCluster {
		return rest.InClusterConfig()
	}
	if cfg.Kubeconfig == "" {
		return nil, errors.New("neither a kubeconfig nor in-cluster credentials are configured")
	}
	return clientcmd.BuildConfigFromFlags("", cfg.Kubeconfig)
}

// own speaks as the portal itself.
func (c *clients) own(gv schema.GroupVersion) (*rest.RESTClient, error) { return c.client(gv, c.base) }

// as speaks as the person. The API server adds system:authenticated to an
// impersonated user who is not anonymous unless the groups name it already
// (k8s.io/apiserver, endpoints/filters/impersonation), so it isn't sent: that
// would need the right to impersonate that group.
func (c *clients) as(u auth.User, gv schema.GroupVersion) (*rest.RESTClient, error) {
	if u.Name == "" {
		return nil, fail.New(fail.Unauthorized, message.New("fleet.nobody"))
	}
	who := transport.ImpersonationConfig{UserName: u.Name, Groups: u.Groups}
	return c.client(gv, transport.NewImpersonatingRoundTripper(who, c.base))
}

func (c *clients) client(gv schema.GroupVersion, rt http.RoundTripper) (*rest.RESTClient, error) {
	config := rest.CopyConfig(c.config)
	config.GroupVersion = &gv
	config.APIPath = "/apis"
	if gv.Group == "" {
		config.APIPath = "/api"
	}
	config.NegotiatedSerializer = c.codecs.WithoutConversion()
	return rest.RESTClientForConfigAndClient(config, &http.Client{Transport: rt})
}

// probe asks the cheapest question there is.
func (c *clients) probe(ctx context.Context) error {
	rc, err := c.own(corev1.SchemeGroupVersion)
	if err != nil {
		return err
	}
	return rc.Get().AbsPath("/version").MaxRetries(0).Do(ctx).Error()
}

// checkServed makes sure that an API server that answers serves the version of
// CAPI that Capstan reads and writes; known is false where none answers.
func (c *clients) checkServed(ctx context.Context) (known bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	gv := clusterv1.GroupVersion
	rc, err := c.own(gv)
	if err != nil {
		return false, err
	}
	var group metav1.APIGroup
	raw, err := rc.Get().AbsPath("/apis/" + gv.Group).MaxRetries(0).DoRaw(ctx)
	if err == nil {
		err = json.Unmarshal(raw, &group)
	}
	switch {
	case apierrors.IsNotFound(err):
		return true, fail.Wrap(err, fail.Unavailable, message.New("fleet.no-capi", message.Str("version", gv.String())))
	case err != nil:
		return false, nil
	}
	for _, v := range group.Versions {
		if v.Version == gv.Version {
			return true, nil
		}
	}
	cause := fmt.Errorf("served versions of %s: %v", gv.Group, group.Versions)
	return true, fail.Wrap(cause, fail.Unavailable, message.New("fleet.old-capi", message.Str("version", gv.String())))
}

package main

import (
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/identity"
)

// minTokenTTL is the shortest life that the API server gives a token.
const minTokenTTL = 10 * time.Minute

// options are the flags of `sandbox up`.
type options struct {
	dir, seed, deploy      string
	portalURL              string
	issuerPort             int
	clientSecret           string
	tokenTTL               time.Duration
	ttl                    identity.Lifetimes
	managers               bool
	extension              bool
	constrainImpersonation bool
	port                   int
	command                []string // runs beside the sandbox and ends it
}

func parseOptions(args []string, out io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("up", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&o.dir, "dir", defaultDir, "folder for kubeconfigs, logs and data; what an earlier sandbox left there is replaced")
	flags.StringVar(&o.seed, "seed", "demo", "demo, classes, none, or a YAML file to apply")
	flags.StringVar(&o.deploy, "deploy", "", "the deploy folder whose RBAC the portal gets (default: the clone's)")
	flags.StringVar(&o.portalURL, "portal-url", "", "address of the portal, if it isn't on a loopback address")
	flags.IntVar(&o.issuerPort, "issuer-port", 0, "port of the identity provider (default: a free one)")
	flags.StringVar(&o.clientSecret, "client-secret", "", "secret of client capstan (default: random)")
	flags.DurationVar(&o.tokenTTL, "token-ttl", minTokenTTL, "life of the portal's Kubernetes token, at least 10m")
	flags.DurationVar(&o.ttl.ID, "id-token-ttl", 15*time.Minute, "life of ID tokens")
	flags.DurationVar(&o.ttl.Access, "access-token-ttl", 15*time.Minute, "life of access tokens")
	flags.DurationVar(&o.ttl.Refresh, "refresh-token-ttl", 24*time.Hour, "life of refresh tokens")
	flags.BoolVar(&o.managers, "managers", true, "run the Cluster API managers; without them only the types are installed, and no webhooks")
	flags.BoolVar(&o.extension, "extension", false, "run Cluster API's test extension too, for classes with external patches")
	flags.BoolVar(&o.constrainImpersonation, "constrained-impersonation", false, "give the portal the rights of that overlay of deploy/")
	flags.IntVar(&o.port, "port", 8080, "port of the portal, for the command after --")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.command = flags.Args()
	return o, o.complete()
}

// complete checks the options and fills in what was left open.
func (o *options) complete() error {
	if o.tokenTTL < minTokenTTL {
		return fmt.Errorf("--token-ttl is %s, but the API server gives no token for less than %s", o.tokenTTL, minTokenTTL)
	}
	if o.extension && !o.managers {
		return errors.New("--extension needs the managers: nothing else calls it")
	}
	o.portalURL = strings.TrimSuffix(o.portalURL, "/")
	var err error
	if o.dir, err = filepath.Abs(o.dir); err != nil {
		return fmt.Errorf("--dir can't be used: %w", err)
	}
	if o.deploy == "" {
		if o.deploy, err = findDeploy(); err != nil {
			return err
		}
	}
	if o.clientSecret == "" {
		o.clientSecret = rand.Text()
	}
	return nil
}

// findDeploy looks for deploy/ in the working folder and above it, so that the
// sandbox grants what this very clone would deploy.
func findDeploy() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("no working folder: %w", err)
	}
	for {
		candidate := filepath.Join(dir, "deploy")
		if _, err := os.Stat(filepath.Join(candidate, "base", "kustomization.yaml")); err == nil {
			return candidate, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no deploy/base here or above: run the sandbox inside a clone, or pass --deploy")
		}
		dir = parent
	}
}

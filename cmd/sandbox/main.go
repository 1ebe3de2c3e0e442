// Command sandbox runs a real Cluster API management cluster on one machine
// without containers: etcd, kube-apiserver and the unmodified Cluster API
// managers as plain processes, workload clusters in the memory of the Docker
// provider, and an identity provider with a few accounts.
//
//	sandbox up → internal/binaries (build once, cached)
//	           → internal/hub      (etcd, kube-apiserver, controllers)
//	           → internal/capi     (CRDs, webhooks, managers)
//	           → internal/identity (OpenID Connect)
//	           → internal/portal   (RBAC of deploy/, token)
//	           → seed              (people's rights, classes, clusters)
//	sandbox stop, start, account → internal/control (socket of a running one)
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	err := run(ctx, os.Args[1:])
	stop()
	var code exitCode
	if errors.As(err, &code) {
		os.Exit(int(code))
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "sandbox:", err)
		os.Exit(1)
	}
}

const usage = `usage:
  sandbox up      [--dir DIR] [--seed demo|classes|none|FILE] … [-- COMMAND …]
                                                                 run a management cluster (up -h: all flags), and a command beside it
  sandbox build   [--extension]                                  build and cache its programs only
  sandbox stop    COMPONENT [--dir DIR]                          stop one component of a running sandbox
  sandbox start   COMPONENT [--dir DIR]                          start it again
  sandbox account disable|enable NAME [--dir DIR]                bar an account of the identity provider
components: etcd kube-apiserver kube-controller-manager capi-core cabpk kcp capd oidc, and test-extension with up --extension`

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	switch command, rest := args[0], args[1:]; command {
	case "up":
		return up(ctx, rest, os.Stdout, os.Stderr)
	case "build":
		return build(ctx, rest, os.Stdout, os.Stderr)
	case "stop", "start":
		return component(ctx, command, rest)
	case "account":
		return account(ctx, rest)
	case "help", "-h", "--help":
		_, err := fmt.Fprintln(os.Stdout, usage)
		return err
	default:
		return fmt.Errorf("unknown command %q\n%s", command, usage)
	}
}

// Capstan is a self-service portal for Cluster API. See the README; the
// commands are serve and version.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

const usage = `Capstan, a self-service portal for Cluster API.

  capstan serve      run the portal (capstan serve --help lists its settings)
  capstan version    say which version this is
`

func main() {
	// The first signal ends the portal in good order, a second one at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:]))
}

// run is the program; it gives the exit code: 2 for a call or settings that
// can't be used, 1 for a failure.
func run(ctx context.Context, args []string) int {
	if len(args) == 0 {
		args = []string{"help"}
	}
	switch args[0] {
	case "serve":
		return serve(ctx, args[1:])
	case "version":
		fmt.Println(versionLine())
		return 0
	case "help", "-h", "-help", "--help":
		fmt.Print(usage)
		return 0
	}
	fmt.Fprintf(os.Stderr, "capstan: there is no command %q\n\n%s", args[0], usage)
	return 2
}

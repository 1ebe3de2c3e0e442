package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/binaries"
	"github.com/capstan-portal/capstan/cmd/sandbox/internal/control"
)

// defaultDir is where `make run` keeps its sandbox.
const defaultDir = ".sandbox"

func build(ctx context.Context, args []string, stdout, progress io.Writer) error {
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	extension := flags.Bool("extension", false, "build Cluster API's test extension too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	set, err := binaries.Ensure(ctx, os.Getenv("KUBEBUILDER_ASSETS"), progress)
	if err != nil {
		return err
	}
	if *extension {
		if err := binaries.EnsureExtension(ctx, set, progress); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(stdout, set.Bin())
	return err
}

func component(ctx context.Context, verb string, args []string) error {
	words, socket, err := remote(verb, args, 1)
	if err != nil {
		return err
	}
	return control.Steer(ctx, socket, words[0], verb)
}

func account(ctx context.Context, args []string) error {
	words, socket, err := remote("account", args, 2)
	if err != nil {
		return err
	}
	return control.SetAccount(ctx, socket, words[1], words[0])
}

// remote reads a command for a running sandbox: n words and --dir, in any
// order.
func remote(command string, args []string, n int) (words []string, socket string, err error) {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	dir := flags.String("dir", defaultDir, "folder of the running sandbox")
	for {
		if err := flags.Parse(args); err != nil {
			return nil, "", err
		}
		if flags.NArg() == 0 {
			break
		}
		words, args = append(words, flags.Arg(0)), flags.Args()[1:]
	}
	if len(words) != n {
		return nil, "", errors.New(usage)
	}
	description, err := readDescription(*dir)
	if err != nil {
		return nil, "", err
	}
	return words, description.Control, nil
}

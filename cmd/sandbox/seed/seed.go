// Package seed fills a fresh sandbox: the rights of its people, a catalogue of
// cluster classes, and clusters in every state that a portal has to show.
package seed

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/capstan-portal/capstan/cmd/sandbox/internal/apply"
)

// files holds people.yaml, classes/*.yaml, and demo/*.yaml, whose files are
// applied one after another: each is a small group of clusters that a machine
// with two cores can bring up at the same time.
//
//go:embed people.yaml classes demo
var files embed.FS

// Limits of waiting; what isn't ready by then is left to itself.
const (
	classLimit   = time.Minute
	clusterLimit = 2 * time.Minute
)

// unfinished marks clusters that never become available on purpose.
const unfinished = "sandbox.capstan.io/unfinished"

// Say tells a person about progress.
type Say func(format string, args ...any)

// People grants the accounts of the identity provider their rights.
func People(ctx context.Context, client *apply.Client) error {
	objects, err := embedded("people.yaml")
	if err != nil {
		return err
	}
	return client.ApplyAll(ctx, objects)
}

// Apply brings in what name stands for: none, classes, demo, or a file.
func Apply(ctx context.Context, client *apply.Client, name string, say Say) error {
	switch name {
	case "none":
		return nil
	case "classes":
		return classes(ctx, client, say)
	case "demo":
		if err := classes(ctx, client, say); err != nil {
			return err
		}
		return demo(ctx, client, say)
	default:
		return file(ctx, client, name, say)
	}
}

// classes applies the catalogue and waits until Cluster API has read it:
// before that a Cluster's variables are neither defaulted nor checked.
func classes(ctx context.Context, client *apply.Client, say Say) error {
	objects, err := folder("classes")
	if err != nil {
		return err
	}
	var all []*unstructured.Unstructured
	for _, group := range objects {
		all = append(all, group...)
	}
	if err := client.ApplyAll(ctx, all); err != nil {
		return err
	}
	n := 0
	for _, o := range all {
		if o.GetKind() != "ClusterClass" {
			continue
		}
		n++
		if err := client.WaitFor(ctx, o, classLimit, "reconciled", apply.ConditionTrue("VariablesReady")); err != nil {
			return err
		}
	}
	say("%d cluster classes are ready", n)
	return nil
}

// demo applies the clusters group by group.
func demo(ctx context.Context, client *apply.Client, say Say) error {
	groups, err := folder("demo")
	if err != nil {
		return err
	}
	begin, available := time.Now(), 0
	for _, objects := range groups {
		if err := client.ApplyAll(ctx, objects); err != nil {
			return err
		}
		for _, o := range objects {
			if o.GetKind() != "Cluster" || o.GetAnnotations()[unfinished] != "" {
				continue
			}
			if err := client.WaitFor(ctx, o, clusterLimit, "available", apply.ConditionTrue("Available")); err != nil {
				say("going on without waiting: %v", err)
				continue
			}
			available++
			say("%s is available", apply.Title(o))
		}
	}
	say("demo is complete: %d clusters became available in %s", available, time.Since(begin).Round(time.Second))
	return nil
}

func file(ctx context.Context, client *apply.Client, name string, say Say) error {
	content, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--seed is demo, classes, none or a file, and there is no file %s", name)
	}
	if err != nil {
		return fmt.Errorf("the seed can't be read: %w", err)
	}
	objects, err := apply.Documents(name, content)
	if err != nil {
		return err
	}
	if err := client.ApplyAll(ctx, objects); err != nil {
		return err
	}
	say("applied %d objects from %s", len(objects), name)
	return nil
}

// folder reads the files of a folder in the order of their names.
func folder(dir string) ([][]*unstructured.Unstructured, error) {
	entries, err := files.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("no seed %s: %w", dir, err)
	}
	var groups [][]*unstructured.Unstructured
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".yaml") {
			continue
		}
		objects, err := embedded(dir + "/" + e.Name())
		if err != nil {
			return nil, err
		}
		groups = append(groups, objects)
	}
	return groups, nil
}

func embedded(name string) ([]*unstructured.Unstructured, error) {
	content, err := files.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("no seed %s: %w", name, err)
	}
	return apply.Documents(name, content)
}

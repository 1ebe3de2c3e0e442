package fleet

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestAnswered(t *testing.T) {
	tests := map[string]struct {
		err  error
		want bool
	}{
		"yes":                  {nil, true},
		"forbidden":            {apierrors.NewForbidden(schema.GroupResource{}, "x", nil), true},
		"too many requests":    {apierrors.NewTooManyRequests("busy", 1), true},
		"connection refused":   {errors.New("connection refused"), false},
		"deadline":             {context.DeadlineExceeded, false},
		"starting up":          {apierrors.NewServiceUnavailable("etcd"), false},
		"gateway timeout":      {apierrors.NewTimeoutError("slow", 1), false},
		"server's own failure": {apierrors.NewInternalError(errors.New("x")), true},
		"load balancer":        {apierrors.NewGenericServerResponse(http.StatusServiceUnavailable, "get", schema.GroupResource{}, "", "", 0, true), false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := answered(tc.err); got != tc.want {
				t.Errorf("answered: %t, want %t", got, tc.want)
			}
		})
	}
}

func TestLossAndReturn(t *testing.T) {
	down := errors.New("connection refused")
	told := 0
	l := newLink(func() { told++ })
	steps := []struct {
		what string
		do   func()
		lost bool
		told int
	}{
		{"a watch breaks", func() { l.report("machines", down) }, true, 1},
		{"the probe fails too", func() { l.probed(down) }, true, 1},
		{"another watch breaks", func() { l.report("clusters", down) }, true, 1},
		{"the probe answers", func() { l.probed(nil) }, true, 1},
		{"one watch is back", func() { l.report("machines", nil) }, true, 1},
		{"all watches are back", func() { l.report("clusters", nil) }, false, 2},
		{"an informer ends", func() { l.report("clusters", context.Canceled) }, false, 2},
		{"a kind is forbidden", func() { l.report("pools", apierrors.NewForbidden(schema.GroupResource{}, "", nil)) }, false, 2},
	}
	for _, s := range steps {
		s.do()
		if got := l.state(); got.Lost != s.lost || got.Lost == got.Since.IsZero() || told != s.told {
			t.Fatalf("%s: %+v, told %d times; want lost %t, told %d times", s.what, got, told, s.lost, s.told)
		}
	}
}

func TestListsWaitAtTheGateWhileTheProbeFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLink(func() {})
		up := make(chan bool, 1)
		up <- false
		state := false
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go l.run(ctx, 2*time.Second, func(context.Context) error {
			select {
			case state = <-up:
			default:
			}
			if state {
				return nil
			}
			return errors.New("connection refused")
		})
		synctest.Wait()
		began := time.Now()
		up <- true
		if err := l.wait(ctx); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("the gate opened after %s, want at the next probe", took)
		}
	})
}

package views

import (
	"testing"

	"github.com/capstan-portal/capstan/internal/topology"
)

// The heading of the pools says what the rows below say, never "7 of 6".
func TestWorkersReady(t *testing.T) {
	pool := func(ready, desired int) topology.Pool {
		return topology.Pool{Counts: topology.Counts{Ready: ready, Desired: desired}}
	}
	for _, tc := range []struct {
		name      string
		pools     []topology.Pool
		ready, of int
		known     bool
	}{
		{"one shrinks", []topology.Pool{pool(6, 5), pool(1, 1)}, 6, 6, true},
		{"one grows", []topology.Pool{pool(3, 8), pool(1, 1)}, 4, 9, true},
		{"one can't be read", []topology.Pool{pool(-1, 3), pool(1, 1)}, 0, 0, false},
		{"no pools", nil, 0, 0, false},
	} {
		ready, of, known := workersReady(topology.Cluster{Summary: topology.Summary{Workers: topology.Counts{Ready: 7, Desired: 6}}, Pools: tc.pools})
		if ready != tc.ready || of != tc.of || known != tc.known {
			t.Errorf("%s: %d of %d, known %v; want %d of %d, %v", tc.name, ready, of, known, tc.ready, tc.of, tc.known)
		}
	}
}

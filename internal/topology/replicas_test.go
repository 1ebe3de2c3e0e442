package topology_test

import (
	"math"
	"strings"
	"testing"

	"github.com/capstan-portal/capstan/internal/topology"
)

func TestParseReplicas(t *testing.T) {
	worker, cp := topology.PoolMachineDeployment, topology.PoolControlPlane
	cases := []struct {
		name, text string
		kind       topology.PoolKind
		cpKind     string
		want       int
		key        string // "" when it is taken
	}{
		{"a number", "8", worker, kcp, 8, ""},
		{"spaces around", "  8\t", worker, kcp, 8, ""},
		{"leading zeros", "007", worker, kcp, 7, ""},
		{"zero", "0", worker, kcp, 0, ""},
		{"the maximum", "1000", worker, kcp, 1000, ""},
		{"one more", "1001", worker, kcp, 0, "replicas.too-many"},
		{"a billion", "1000000000", worker, kcp, 0, "replicas.too-many"},
		{"more than an int", strings.Repeat("9", 40), worker, kcp, 0, "replicas.too-many"},
		{"1e9", "1e9", worker, kcp, 0, "replicas.not-whole"},
		{"nothing", "", worker, kcp, 0, "replicas.empty"},
		{"only spaces", "   ", worker, kcp, 0, "replicas.empty"},
		{"text", "three", worker, kcp, 0, "replicas.not-a-number"},
		{"a fraction", "3.5", worker, kcp, 0, "replicas.not-whole"},
		{"a negative", "-1", worker, kcp, 0, "replicas.negative"},
		{"a negative fraction", "-1.5", worker, kcp, 0, "replicas.not-whole"},
		{"a plus sign", "+3", worker, kcp, 0, "replicas.not-whole"},
		{"hexadecimal", "0x10", worker, kcp, 0, "replicas.not-a-number"},
		{"not a number", "NaN", worker, kcp, 0, "replicas.not-a-number"},
		{"infinity", "Inf", worker, kcp, 0, "replicas.not-a-number"},
		{"fullwidth digits", "３", worker, kcp, 0, "replicas.digits"},
		{"arabic digits", "٣", worker, kcp, 0, "replicas.digits"},
		{"two numbers", "3 4", worker, kcp, 0, "replicas.not-a-number"},
		{"control plane of three", "3", cp, kcp, 3, ""},
		{"control plane of two", "2", cp, kcp, 0, "replicas.control-plane-odd"},
		{"control plane of none", "0", cp, kcp, 0, "replicas.control-plane-zero"},
		{"another control plane of two", "2", cp, "RKE2ControlPlane", 2, ""},
		{"another control plane of none", "0", cp, "RKE2ControlPlane", 0, "replicas.control-plane-zero"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			got, failure := topology.ParseReplicas(tc.text, tc.kind, tc.cpKind, 1000)
			key := ""
			if failure != nil {
				key = string(failure.Text.Key)
			}
			if got != tc.want || key != tc.key {
				t.Errorf("ParseReplicas(%q) = %d, %q; want %d, %q", tc.text, got, key, tc.want, tc.key)
			}
			if failure != nil && (len(failure.Faults) != 1 || failure.Faults[0].Field != topology.FieldReplicas) {
				t.Errorf("faults = %+v, want one on the number's field", failure.Faults)
			}
		})
	}
}

func FuzzParseReplicas(f *testing.F) {
	for _, seed := range []string{"", "3", " 3 ", "-1", "3.5", "1e9", "３", "99999999999999999999", "\xff", "0x1p-2"} {
		f.Add(seed, true, 1000)
	}
	f.Fuzz(func(t *testing.T, text string, controlPlane bool, most int) {
		kind, low := topology.PoolMachineDeployment, 0
		if controlPlane {
			kind, low = topology.PoolControlPlane, 1
		}
		n, failure := topology.ParseReplicas(text, kind, kcp, most)
		if failure != nil {
			return
		}
		if n < low || n > most || n > math.MaxInt || controlPlane && n%2 == 0 {
			t.Errorf("ParseReplicas(%q, %s, max %d) = %d, out of range", text, kind, most, n)
		}
	})
}

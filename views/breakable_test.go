package views

import (
	"strings"
	"testing"
)

func TestHumps(t *testing.T) {
	for text, want := range map[string]string{
		"keyRotationHours":           "key|Rotation|Hours",
		"KubeadmControlPlane":        "Kubeadm|Control|Plane",
		"v1.34.2 10.0.0.0/8":         "v1.34.2 10.0.0.0/|8",
		"podCIDR":                    "pod|CIDR",
		"a.b-c/d":                    "a.|b-|c/|d",
		`{"diskGB":40,"size":"s"}`:   `{"disk|GB":|40,|"size":|"s"}`,
		"self.size != 'x' && a.Size": "self.|size != 'x' && a.|Size",
		"区域Name":                     "区域Name",
		"":                           "",
	} {
		if got := strings.Join(humps(text), "|"); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

package topology

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// FieldReplicas names the number's input, for faults.
const FieldReplicas = "replicas"

// kubeadmControlPlane is the one control plane whose etcd makes even numbers
// pointless; CAPI's own webhook of KubeadmControlPlane refuses them, the
// Cluster's does not look.
const kubeadmControlPlane = "KubeadmControlPlane"

// typedLimit is how many characters of what was typed a sentence repeats.
const typedLimit = 24

// ParseReplicas reads what a person typed as a number of machines, 0 to max
// (control planes: from 1, odd for a KubeadmControlPlane). CAPI's Cluster
// webhook accepts -1 and 1e9, so nothing else checks it.
func ParseReplicas(text string, kind PoolKind, controlPlaneKind string, max int) (int, *fail.Error) {
	text = strings.TrimSpace(text)
	if key := notWhole(text); key != "" {
		return 0, refuse(message.New(key, message.Str("typed", shorten(text))))
	}
	n, err := strconv.Atoi(text)
	if err != nil || n > max {
		// A number that overflows int is too many, too.
		return 0, refuse(message.New("replicas.too-many",
			message.Str("typed", shorten(text)), message.Num("n", max)))
	}
	if failure := checkReplicas(n, kind, controlPlaneKind); failure != nil {
		return 0, failure
	}
	return n, nil
}

// checkReplicas refuses numbers that no pool of this kind may have.
func checkReplicas(n int, kind PoolKind, controlPlaneKind string) *fail.Error {
	switch {
	case n < 0:
		return refuse(message.New("replicas.negative", message.Str("typed", strconv.Itoa(n))))
	case kind != PoolControlPlane:
		return nil
	case n == 0:
		return refuse(message.New("replicas.control-plane-zero"))
	case controlPlaneKind == kubeadmControlPlane && n%2 == 0:
		return refuse(message.New("replicas.control-plane-odd"))
	default:
		return nil
	}
}

func refuse(text message.Text) *fail.Error {
	return fail.New(fail.Invalid, text, fail.Fault{Field: FieldReplicas, Text: text})
}

// notWhole says why text is no row of digits 0 to 9; "" when it is one.
func notWhole(text string) message.Key {
	switch {
	case text == "":
		return "replicas.empty"
	case isDigits(text):
		return ""
	case text[0] == '-' && isDigits(text[1:]):
		return "replicas.negative"
	case hasForeignDigits(text):
		return "replicas.digits"
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil && !strings.ContainsAny(text, "xXpPnN") {
		return "replicas.not-whole"
	}
	return "replicas.not-a-number"
}

func isDigits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

func hasForeignDigits(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r > '9' && unicode.IsDigit(r) })
}

func shorten(text string) string {
	runes := []rune(text)
	if len(runes) <= typedLimit {
		return text
	}
	return string(runes[:typedLimit]) + "…"
}

package catalog

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// inexact finds whole numbers that Cluster API would change without a word: its
// defaulting webhook reads every variable into floats of 64 bits, which are
// exact up to 2^53 only (core's internal/topology/variables,
// cluster_variable_defaulting.go).
func inexact(n *Node, path string, value tree) []fail.Fault {
	var faults []fail.Fault
	switch v := value.(type) {
	case json.Number:
		if becomes := rounded(v); becomes != "" {
			to := locate(n, path)
			text := faultInexact.text(message.Str("number", becomes))
			faults = append(faults, to.within(fail.Fault{Field: to.input, Text: text}))
		}
	case []any:
		for i := range v {
			faults = append(faults, inexact(n, path+"["+strconv.Itoa(i)+"]", v[i])...)
		}
	case map[string]any:
		for _, key := range sortedKeys(v) {
			faults = append(faults, inexact(n, path+"["+key+"]", v[key])...)
		}
	}
	return faults
}

// rounded is what a whole number becomes as a float, empty where it stays.
func rounded(n json.Number) string {
	text := normalNumber(n).String()
	if strings.ContainsAny(text, ".eE") {
		return ""
	}
	f, err := n.Float64()
	if err != nil || f == 0 {
		return "" // no number for Kubernetes either, which the schema says; or -0
	}
	if becomes := new(big.Float).SetFloat64(f).Text('f', 0); becomes != text {
		return becomes
	}
	return ""
}

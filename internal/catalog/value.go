package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// tree is a JSON value as encoding/json gives it with UseNumber: nil, bool,
// string, json.Number, []any or map[string]any. Numbers stay as they are
// written, so that integers beyond 2^53 survive.
type tree = any

var errTrailing = errors.New("more than one JSON value")

func decode(raw []byte) (tree, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value tree
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errTrailing
	}
	return value, nil
}

// Canonical rewrites JSON so that equal values have equal bytes: sorted keys,
// no spaces, whole numbers without a fraction, nothing else rounded.
func Canonical(raw []byte) (json.RawMessage, error) {
	value, err := decode(raw)
	if err != nil {
		return nil, err
	}
	return canonical(value), nil
}

func canonical(value tree) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(normal(value)); err != nil {
		return json.RawMessage("null") // a tree always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// normal copies the tree with its numbers in canonical form.
func normal(value tree) tree {
	switch v := value.(type) {
	case json.Number:
		return normalNumber(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = normal(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = normal(v[k])
		}
		return out
	default:
		return value
	}
}

func normalNumber(n json.Number) json.Number {
	s := n.String()
	if whole, fraction, ok := strings.Cut(s, "."); ok && strings.Trim(fraction, "0") == "" {
		s = whole
	}
	if s == "-0" {
		s = "0"
	}
	return json.Number(s)
}

// plain converts numbers to what the Kubernetes packages expect: int64 where it
// fits, else float64.
func plain(value tree) tree {
	switch v := value.(type) {
	case json.Number:
		if n, err := normalNumber(v).Int64(); err == nil {
			return n
		}
		f, err := v.Float64()
		if err != nil {
			return v.String() // beyond float64: no number for them either
		}
		return f
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = plain(v[k])
		}
		return out
	default:
		return value
	}
}

func copyTree(value tree) tree {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = copyTree(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = copyTree(v[k])
		}
		return out
	default:
		return value
	}
}

// isNumber tells whether s is a number as JSON writes it.
func isNumber(s string) bool {
	if s == "" || s[0] != '-' && !digit(s[0]) || !digit(s[len(s)-1]) {
		return false
	}
	return json.Valid([]byte(s))
}

// isInteger tells whether s is a whole number without fraction and exponent.
func isInteger(s string) bool { return isNumber(s) && !strings.ContainsAny(s, ".eE") }

func digit(c byte) bool { return c >= '0' && c <= '9' }

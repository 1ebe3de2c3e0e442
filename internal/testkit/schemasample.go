package testkit

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
)

// Sampler makes values for the variables of a class. They mostly fit the
// schema; rules (CEL) and alternatives are hit by chance only, so check them.
type Sampler struct {
	Rand *rand.Rand
	// Full takes every optional field, else each with a chance of one half.
	Full bool
	// Lean takes required fields only.
	Lean bool
}

// Value makes one value of a field as encoding/json would read it with UseNumber.
func (s Sampler) Value(f *catalog.Field) any {
	if given, ok := s.given(f); ok {
		return given
	}
	switch f.Kind {
	case catalog.KindObject:
		return s.object(f)
	case catalog.KindArray:
		return s.array(f)
	case catalog.KindMap:
		return s.mapOf(f)
	case catalog.KindYAML:
		return s.free(f)
	case catalog.KindIntOrString:
		return []any{json.Number("3"), "10%"}[s.Rand.IntN(2)]
	default:
		return s.scalar(f)
	}
}

// given takes a choice, or now and then what the class itself offers.
func (s Sampler) given(f *catalog.Field) (any, bool) {
	var raw json.RawMessage
	switch {
	case len(f.Options) > 0:
		raw = f.Options[s.Rand.IntN(len(f.Options))].Value
	case f.Kind == catalog.KindObject && s.Full:
		return nil, false
	case f.Example != nil && s.Rand.IntN(2) == 0:
		raw = f.Example
	case f.Default != nil && s.Rand.IntN(3) == 0:
		raw = f.Default
	default:
		return nil, false
	}
	return decodeNumber(raw)
}

func decodeNumber(raw []byte) (any, bool) {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var v any
	return v, d.Decode(&v) == nil
}

func (s Sampler) object(f *catalog.Field) any {
	out := make(map[string]any)
	for _, child := range f.Fields {
		if child.Required || s.Full || !s.Lean && s.Rand.IntN(2) == 0 {
			out[child.Name] = s.Value(child)
		}
	}
	if f.Preserve && s.Rand.IntN(2) == 0 {
		out["more"] = s.free(f)
	}
	return out
}

func (s Sampler) count(f *catalog.Field) int {
	low := int(f.MinRows())
	if s.Full && low == 0 {
		low = 1
	}
	high := low + 2
	if limit := f.MaxRows(); limit >= 0 && int64(high) > limit {
		high = int(limit)
	}
	return low + s.Rand.IntN(max(high-low, 0)+1)
}

func (s Sampler) array(f *catalog.Field) any {
	out := []any{}
	seen := map[string]bool{}
	for try := 0; len(out) < s.count(f) && try < 20; try++ {
		v := s.Value(f.Item)
		key := fmt.Sprint(v)
		if f.UniqueItems && seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, v)
	}
	return out
}

func (s Sampler) mapOf(f *catalog.Field) any {
	out := make(map[string]any)
	keys := []string{"key", "a.b/c", "x-y", "中文", "k[0]", "~r0"}
	for i := range s.count(f) {
		out[keys[i%len(keys)]] = s.Value(f.Item)
	}
	return out
}

// free is a value for a place without a schema.
func (s Sampler) free(f *catalog.Field) any {
	some := []any{
		map[string]any{}, map[string]any{"a": "yes", "n": json.Number("9007199254740991")},
		map[string]any{"list": []any{nil, true, "x\ny\n", json.Number("1.50")}},
	}
	if f.Type == "" {
		some = append(some, "text", json.Number("7"), []any{}, false)
	}
	return some[s.Rand.IntN(len(some))]
}

func (s Sampler) scalar(f *catalog.Field) any {
	switch f.Kind {
	case catalog.KindBoolean:
		return s.Rand.IntN(2) == 0
	case catalog.KindInteger:
		return json.Number(strconv.FormatInt(s.integer(f.Bounds), 10))
	case catalog.KindNumber:
		if n := s.integer(f.Bounds); s.Rand.IntN(2) == 0 || f.Bounds.Max != nil {
			return json.Number(strconv.FormatInt(n, 10))
		}
		return json.Number(strconv.FormatInt(s.integer(f.Bounds), 10) + ".25")
	default:
		return s.text(f)
	}
}

func (s Sampler) integer(b catalog.Bounds) int64 {
	low, high := int64(0), int64(100)
	if b.Min != nil {
		low, high = *b.Min, *b.Min+100
		if b.ExclusiveMin {
			low++
		}
	}
	if b.Max != nil {
		high = *b.Max
		if b.ExclusiveMax {
			high--
		}
		if b.Min == nil {
			low = high - 100
		}
	}
	if high <= low {
		return low
	}
	return low + s.Rand.Int64N(high-low+1)
}

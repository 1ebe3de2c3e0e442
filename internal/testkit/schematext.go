package testkit

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/capstan-portal/capstan/internal/catalog"
)

// text makes a string for the format or pattern, within the lengths if it can.
func (s Sampler) text(f *catalog.Field) string {
	if some := formatSamples(f.Format); len(some) > 0 && f.Pattern == "" {
		return some[s.Rand.IntN(len(some))]
	}
	low, high := 0, 12
	if f.Bounds.MinLength != nil {
		low = int(*f.Bounds.MinLength)
		high = low + 12
	}
	if f.Bounds.MaxLength != nil && int(*f.Bounds.MaxLength) < high {
		high = int(*f.Bounds.MaxLength)
	}
	if f.Pattern != "" {
		return s.matching(f.Pattern, low, high)
	}
	const alphabet = "abcxyz019 -./:%中é\"'<&\n"
	runes := []rune(alphabet)
	var b strings.Builder
	for range low + s.Rand.IntN(max(high-low, 0)+1) {
		b.WriteRune(runes[s.Rand.IntN(len(runes))])
	}
	return b.String()
}

// matching tries for a match within the lengths; the last try goes as it is.
func (s Sampler) matching(pattern string, low, high int) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	out := ""
	for range 30 {
		var b strings.Builder
		s.walk(&b, re)
		out = b.String()
		if n := utf8.RuneCountInString(out); n >= low && n <= high {
			break
		}
	}
	return out
}

// walk writes one string that the expression matches.
func (s Sampler) walk(b *strings.Builder, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(s.runeOf(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('x')
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			s.walk(b, sub)
		}
	case syntax.OpAlternate:
		s.walk(b, re.Sub[s.Rand.IntN(len(re.Sub))])
	case syntax.OpStar:
		s.repeat(b, re.Sub[0], 0, 3)
	case syntax.OpPlus:
		s.repeat(b, re.Sub[0], 1, 3)
	case syntax.OpQuest:
		s.repeat(b, re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		high := re.Max
		if high < 0 {
			high = re.Min + 3
		}
		s.repeat(b, re.Sub[0], re.Min, high)
	}
}

func (s Sampler) repeat(b *strings.Builder, re *syntax.Regexp, low, high int) {
	for range low + s.Rand.IntN(min(high-low, 5)+1) {
		s.walk(b, re)
	}
}

// runeOf picks from ranges, readable ones first.
func (s Sampler) runeOf(ranges []rune) rune {
	for range 20 {
		i := s.Rand.IntN(len(ranges)/2) * 2
		low, high := max(ranges[i], ' '), min(ranges[i+1], '~')
		if low <= high {
			return low + rune(s.Rand.IntN(int(high-low)+1))
		}
	}
	return ranges[0]
}

// formatSamples are texts in the formats that Kubernetes checks.
func formatSamples(format string) []string {
	switch format {
	case "cidr":
		return []string{"10.0.0.0/8", "fd00::/64"}
	case "ipv4":
		return []string{"10.0.0.1"}
	case "ipv6":
		return []string{"fd00::1"}
	case "uri":
		return []string{"https://example.com/x?y=z"}
	case "uuid", "uuid4":
		return []string{"2b9ad7a0-7a6a-4f3b-9d3c-3d7d0c6a9f10"}
	case "date-time":
		return []string{"2026-01-02T03:04:05Z"}
	case "date":
		return []string{"2026-01-02"}
	case "duration":
		return []string{"1m30s"}
	case "byte":
		return []string{"YWJj"}
	case "hostname":
		return []string{"host.example.com"}
	case "email":
		return []string{"a@example.com"}
	case "mac":
		return []string{"00:11:22:33:44:55"}
	default:
		return nil
	}
}

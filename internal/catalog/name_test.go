package catalog

import (
	"strings"
	"testing"
)

func TestNamesComeBack(t *testing.T) {
	for _, name := range []string{"", "a", "a.b", "a/b[0]", "~set", "中文", "a b\n", "-_", "~7E", "\xff"} {
		escaped := Escape(name)
		if got, err := Unescape(escaped); err != nil || got != name {
			t.Errorf("%q became %q became %q, %v", name, escaped, got, err)
		}
		if strings.ContainsFunc(escaped, func(r rune) bool { return !safeByte(byte(r)) && r != '~' }) {
			t.Errorf("%q is no safe segment", escaped)
		}
	}
	for _, bad := range []string{"~", "~7", "~7e", "~GG", "a b", "~set", "~i0"} {
		if got, err := Unescape(bad); err == nil {
			t.Errorf("%q was read as %q", bad, got)
		}
	}
}

func TestReadableNames(t *testing.T) {
	for name, want := range map[string]string{
		"v.net":                        "net",
		"v.net.peers.~i0.name":         "net.peers[0].name",
		"v.a~2Eb.~r1.~key":             "a.b[1]",
		"p0.net.~yaml":                 "net",
		"spec.topology.variables[net]": "",
	} {
		if got := ReadableName(name); want != "" && got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestYAMLComesBack(t *testing.T) {
	for _, s := range []string{
		"", "a", "a\nb", "a\n", "a\n\n", "\n", "\na", " a\nb", "a\n b", "a \nb", "a\tb\nc", "# a", "a: b", "-", "- a", "yes", "NULL", "1", "1e3",
		"0x1", "2001-01-01", "'", `"`, `\`, "\u0085", "\u2028", "\ufeff", "\x00\x7f", "😀", "a\r\nb", "!x", "&a", "*a", "{a", "[a", "%a", "@a", "`a", "a #b",
		strings.Repeat("x", 1500), "...", "---", "---\na", "...\nb", "|", ">", "? a", "=", "<<", ".inf", "~",
	} {
		for _, value := range []tree{s, map[string]any{s: s}, []any{s, []any{s}, map[string]any{"k": map[string]any{s: []any{s}}}}} {
			got, err := parseYAML(yamlText(value))
			if err != nil || string(canonical(got)) != string(canonical(value)) {
				t.Errorf("%s\nwas written as\n%s\nand read as %s, %v", canonical(value), yamlText(value), canonical(got), err)
			}
		}
	}
}

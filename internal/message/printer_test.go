package message

import (
	"testing"
	"testing/fstest"
)

func testCatalogue(t testing.TB) *Catalogue {
	t.Helper()
	c, err := load(fstest.MapFS{
		"locale/a.en.toml": {Data: []byte(`
"plain" = "Hello"
"only.en" = "English only"
"scaling" = "Scaling {{.from}} → {{.to}}"
"stalled" = "Stalled: {{.why}}"
["machines"]
one = "{{.n}} machine"
other = "{{.n}} machines"
`)},
		"locale/a.zh-Hans.toml": {Data: []byte(`
"plain" = "你好"
"scaling" = "扩容中 {{.from}} → {{.to}}"
"stalled" = "停滞：{{.why}}"
["machines"]
other = "{{.n}} 台机器"
`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPrinterSay(t *testing.T) {
	c := testCatalogue(t)
	cases := []struct {
		name, lang string
		text       Text
		want       string
	}{
		{"zero text", English, Text{}, ""},
		{"plain", Chinese, New("plain"), "你好"},
		{"unknown key", English, New("no.such"), "no.such"},
		{"unknown language", "fr", New("plain"), "Hello"},
		{"key missing in one language", Chinese, New("only.en"), "English only"},
		{"arguments", English, New("scaling", Num("from", 3), Str("to", "8")), "Scaling 3 → 8"},
		{"missing argument", English, New("scaling", Num("from", 3)), "Scaling 3 → "},
		{"one", English, New("machines", Num("n", 1)), "1 machine"},
		{"many", English, New("machines", Num("n", 0)), "0 machines"},
		{"plural in chinese", Chinese, New("machines", Num("n", 1)), "1 台机器"},
		{"nested in the same language", Chinese, New("stalled", Sub("why", New("plain"))), "停滞：你好"},
		{"large numbers are grouped", English, New("machines", Num("n", 1234567)), "1,234,567 machines"},
		{"four digits are not", English, New("machines", Num("n", 1000)), "1000 machines"},
		{"true minus", English, New("machines", Num("n", -4)), "−4 machines"},
		{"nothing is escaped", English, New("stalled", Str("why", "<em>")), "Stalled: <em>"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if got := c.Printer(tc.lang).Say(tc.text); got != tc.want {
				t.Errorf("Say(%+v) = %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}

func TestZeroPrinterPrintsKeys(t *testing.T) {
	var p Printer
	if got := p.Say(New("state.scale-up", Num("from", 1))); got != "state.scale-up" {
		t.Errorf("Say = %q, want the key", got)
	}
	if got := p.Key("plain"); got != "plain" {
		t.Errorf("Key = %q, want the key", got)
	}
}

func TestMatch(t *testing.T) {
	c := testCatalogue(t)
	cases := map[string]string{
		"":                        English,
		"de-DE,de;q=0.9":          English,
		"zh-CN,zh;q=0.9,en;q=0.8": Chinese,
		"zh":                      Chinese,
		"zh-Hans-SG":              Chinese,
		"en-GB,zh;q=0.5":          English,
		"fr,zh-CN;q=0.3":          Chinese,
		";;;garbage":              English,
	}
	for header, want := range cases {
		if got := c.Match(header); got != want {
			t.Errorf("Match(%q) = %q, want %q", header, got, want)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	cases := map[string]map[string]string{
		"a placeholder that is no name": {"a.en": `"k" = "{{.a | upper}}"`},
		"an open placeholder":           {"a.en": `"k" = "{{.a"`},
		"a message without other":       {"a.en": "[\"k\"]\none = \"x\""},
		"one key in two files":          {"a.en": `"k" = "x"`, "b.en": `"k" = "y"`},
		"no TOML":                       {"a.en": `= =`},
	}
	for name, files := range cases {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{}
			for file, text := range files {
				fsys["locale/"+file+".toml"] = &fstest.MapFile{Data: []byte(text)}
			}
			if _, err := load(fsys); err == nil {
				t.Error("load gave no error")
			}
		})
	}
}

func BenchmarkSay500(b *testing.B) {
	p := testCatalogue(b).Printer(Chinese)
	text := New("stalled", Sub("why", New("machines", Num("n", 3))))
	for b.Loop() {
		for range 500 {
			_ = p.Say(text)
		}
	}
}

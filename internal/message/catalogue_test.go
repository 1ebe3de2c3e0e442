package message

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// builtKeys are the beginnings of keys that are put together at run time, with
// who does it. A key under one of them counts as used.
var builtKeys = []string{
	"machine.phase.", // views: one word per phase of a Machine
	"state.",         // topology: one text per StateKind
}

func TestLanguagesAgree(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range c.Languages() {
		for key, said := range c.words[English].said {
			other, ok := c.words[lang].said[key]
			if !ok {
				t.Errorf("%s: %s is missing", lang, key)
				continue
			}
			if got, want := placeholders(other), placeholders(said); !slices.Equal(got, want) {
				t.Errorf("%s: %s has the placeholders %v, English has %v", lang, key, got, want)
			}
		}
		for key := range c.words[lang].said {
			if _, ok := c.words[English].said[key]; !ok {
				t.Errorf("en: %s is missing, %s has it", key, lang)
			}
		}
	}
}

// placeholders are the names in all forms of p together, sorted.
func placeholders(p phrase) []string {
	var names []string
	for _, cut := range p.forms {
		for i := 1; i < len(cut); i += 2 {
			if !slices.Contains(names, cut[i]) {
				names = append(names, cut[i])
			}
		}
	}
	slices.Sort(names)
	return names
}

// People are addressed in one way: 你, never 您 on one page and 你 on the next.
func TestOneFormOfAddress(t *testing.T) {
	files, err := filepath.Glob("locale/*.zh-Hans.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no Chinese catalogues: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if strings.Contains(line, "您") {
				t.Errorf("%s:%d says 您", file, i+1)
			}
		}
	}
}

func TestNoDescriptions(t *testing.T) {
	names, err := fs.Glob(locale, "locale/*.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		file := map[string]toml.Primitive{}
		meta, err := toml.DecodeFS(locale, name, &file)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range meta.Keys() {
			if len(key) > 1 && slices.Contains([]string{"description", "hash", "id"}, key[len(key)-1]) {
				t.Errorf("%s: %s is read by nobody", name, key)
			}
		}
	}
}

var (
	keyLiteral    = regexp.MustCompile(`(?:message\.(?:New|Key)|\.Key)\(\s*"([^"]+)"(\s*\+)?`)
	stringLiteral = regexp.MustCompile(`"([a-z][A-Za-z0-9.-]+)"`)
)

func TestKeysInTheSourcesExist(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range sources(t) {
		for _, m := range keyLiteral.FindAllStringSubmatch(text, -1) {
			key, built := m[1], m[2] != ""
			if built && !slices.ContainsFunc(builtKeys, func(p string) bool { return strings.HasPrefix(key, p) }) {
				t.Errorf("%s: keys are built from %q, which is not in builtKeys", name, key)
			}
			if _, ok := c.words[English].said[Key(key)]; !ok && !built {
				t.Errorf("%s: no catalogue has the key %q", name, key)
			}
		}
	}
}

func TestKeysInTheCataloguesAreUsed(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	used := map[Key]bool{}
	for _, text := range sources(t) {
		for _, m := range stringLiteral.FindAllStringSubmatch(text, -1) {
			used[Key(m[1])] = true
		}
	}
	for key := range c.words[English].said {
		built := slices.ContainsFunc(builtKeys, func(p string) bool { return strings.HasPrefix(string(key), p) })
		if !used[key] && !built {
			t.Errorf("the key %s is used nowhere", key)
		}
	}
}

// sources gives the hand-written Go and templ files of the module by path.
func sources(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..")
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || len(d.Name()) > 2 && d.Name()[0] == '.') {
			return filepath.SkipDir
		}
		if !handWritten(d.Name()) {
			return nil
		}
		text, err := os.ReadFile(path) //nolint:gosec // the module's own sources
		if err == nil {
			out[path] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func handWritten(name string) bool {
	switch {
	case strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, "_templ.go"):
		return false
	default:
		return strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".templ")
	}
}

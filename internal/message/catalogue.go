package message

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed locale/*.toml
var locale embed.FS

// The languages of the catalogues, as they stand in file names, cookies and
// the lang attribute.
const (
	English = "en"
	Chinese = "zh-Hans"
)

// Catalogue holds the words of all languages. It is made once at start and
// only read afterwards.
type Catalogue struct {
	words   map[string]words
	matcher language.Matcher
}

// words are the compiled messages of one language.
type words struct {
	tag  language.Tag
	said map[Key]phrase
}

// Load reads and compiles the embedded catalogues. An error is a fault of the
// build: a file that can't be parsed, or a key that stands in two files.
func Load() (*Catalogue, error) { return load(locale) }

func load(files fs.FS) (*Catalogue, error) {
	c := &Catalogue{words: map[string]words{}}
	var tags []language.Tag
	for _, lang := range c.Languages() {
		w := words{tag: language.MustParse(lang), said: map[Key]phrase{}}
		if err := w.read(files, lang); err != nil {
			return nil, err
		}
		c.words[lang] = w
		tags = append(tags, w.tag)
	}
	c.matcher = language.NewMatcher(tags)
	return c, nil
}

// Languages lists the languages there are, the default first.
func (c *Catalogue) Languages() []string { return []string{English, Chinese} }

// Match picks the language for an Accept-Language header; English when nothing
// fits. Traditional Chinese readers get Simplified rather than English, as
// CLDR's distances say.
func (c *Catalogue) Match(acceptLanguage string) string {
	tags, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil || len(tags) == 0 {
		return English
	}
	_, index, confidence := c.matcher.Match(tags...)
	if confidence == language.No {
		return English
	}
	return c.Languages()[index]
}

// Printer prints in lang, in English when there is no such language. A key
// that lang lacks is printed in English, one that nobody knows as it stands.
func (c *Catalogue) Printer(lang string) Printer {
	w, ok := c.words[lang]
	if !ok {
		lang, w = English, c.words[English]
	}
	return Printer{lang: lang, words: w, fallback: c.words[English]}
}

func (w words) read(files fs.FS, lang string) error {
	names, err := fs.Glob(files, "locale/*."+lang+".toml")
	if err != nil {
		return err
	}
	parse := map[string]i18n.UnmarshalFunc{"toml": toml.Unmarshal}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		file, err := i18n.ParseMessageFileBytes(text, name, parse)
		if err != nil {
			return fmt.Errorf("catalogue %s: %w", name, err)
		}
		if err := w.add(name, file.Messages); err != nil {
			return err
		}
	}
	return nil
}

func (w words) add(name string, messages []*i18n.Message) error {
	for _, m := range messages {
		key := Key(m.ID)
		if _, twice := w.said[key]; twice {
			return fmt.Errorf("catalogue %s: the key %s stands in another file too", name, key)
		}
		p, err := newPhrase(m)
		if err != nil {
			return fmt.Errorf("catalogue %s: %s: %w", name, key, err)
		}
		w.said[key] = p
	}
	return nil
}

package views

import (
	"encoding/json"
	"time"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
)

// layoutView is the document around a screen.
type layoutView struct {
	Page
	Screen Screen
	Live   bool
	Words  string // JSON: what times.js and live.js need to say
	Until  string // when the session ends, RFC 3339; empty without one
	Nav    []navItem
	Other  language // the language to switch to
	Themes []themeItem
}

type navItem struct {
	URL     templ.SafeURL
	Text    string
	Current bool
}

type language struct{ Lang, Text string }

type themeItem struct {
	Value, Icon, Text string
	Current           bool
}

// Layout is the whole document around a screen.
func Layout(p Page, s Screen) templ.Component { return layout(newLayout(p, s)) }

func newLayout(p Page, s Screen) layoutView {
	v := layoutView{Page: p, Screen: s, Live: len(s.Regions) > 0, Words: clientWords(p)}
	if !p.Session.IsZero() {
		v.Until = p.Session.UTC().Format(time.RFC3339)
	}
	v.Nav = []navItem{
		{templ.SafeURL(p.URLs.Clusters(nil)), p.t("views.nav.clusters"), p.Section == "clusters"},
		{templ.SafeURL(p.URLs.Catalog()), p.t("views.nav.catalog"), p.Section == "catalog"},
	}
	v.Other = language{"zh-Hans", "中文"}
	if p.Lang == "zh-Hans" {
		v.Other = language{"en", "English"}
	}
	for _, theme := range []struct {
		value, icon string
		key         message.Key
	}{{"", "system", "views.theme.system"}, {"light", "light", "views.theme.light"}, {"dark", "dark", "views.theme.dark"}} {
		v.Themes = append(v.Themes, themeItem{theme.value, theme.icon, p.t(theme.key), theme.value == p.Theme})
	}
	return v
}

func (v layoutView) title() string {
	if v.Screen.Title == "" {
		return "Capstan"
	}
	return v.Screen.Title + " · Capstan"
}

// clientWords are the words that scripts put together; {n}, {t} are filled in
// there. They come from the catalogue like all others.
func clientWords(p Page) string {
	words := map[string]string{}
	for name, key := range map[string]message.Key{
		"s": "views.age.s", "min": "views.age.min", "h": "views.age.h", "d": "views.age.d", "y": "views.age.y",
		"yesterday": "views.age.yesterday", "live": "views.conn.live", "recon": "views.conn.recon",
		"reconShort": "views.conn.recon-short", "off": "views.conn.off", "dropped": "views.conn.dropped",
		"stale": "views.conn.stale", "more": "views.rows.more", "gone": "views.rows.gone", "ended": "views.conn.ended", "kept": "views.conn.kept",
	} {
		words[name] = p.t(key)
	}
	out, err := json.Marshal(words)
	if err != nil {
		return "{}"
	}
	return string(out)
}

func colorScheme(theme string) string {
	if theme == "" {
		return "light dark"
	}
	return theme
}

func pressed(on bool) string {
	if on {
		return "true"
	}
	return "false"
}

package catalog

import (
	"cmp"
	"strconv"
	"strings"
)

// Hints say how a field wants to be shown. Cluster API defines no such keys: any
// label or annotation of x-metadata whose last part (after the "/", without a
// leading "ui") is one of the words below counts, whoever owns the prefix.
type Hints struct {
	Order       *int // smaller comes first; nil comes last
	Group       string
	Label       string
	Help        string
	Placeholder string
	Unit        string
	Widget      string // a wish only, for example "textarea"
	Advanced    bool   // folded away
	Secret      bool   // not shown while it is typed
	Hidden      bool   // shown among the advanced ones only
}

func newHints(sources ...map[string]string) Hints {
	var h Hints
	for _, source := range sources {
		for _, key := range sortedKeys(source) {
			h.take(hintWord(key), source[key])
		}
	}
	return h
}

// hintWord reduces "ui.example.com/ui-display-name" to "displayname".
func hintWord(key string) string {
	word := strings.ToLower(key[strings.LastIndex(key, "/")+1:])
	word = strings.NewReplacer("-", "", "_", "", ".", "").Replace(word)
	return strings.TrimPrefix(word, "ui")
}

func (h *Hints) take(word, value string) {
	switch word {
	case "order", "position", "weight":
		if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil {
			h.Order = &n
		}
	case "group", "section", "category":
		h.Group = value
	case "label", "title", "displayname":
		h.Label = value
	case "help", "hint", "tooltip", "description":
		h.Help = value
	case "placeholder":
		h.Placeholder = value
	case "unit":
		h.Unit = value
	case "widget":
		h.Widget = value
	case "advanced":
		h.Advanced = truthy(value)
	case "secret", "sensitive":
		h.Secret = truthy(value)
	case "hidden":
		h.Hidden = truthy(value)
	}
}

// truthy takes the bare key ("advanced": "") for yes, as labels are often used.
func truthy(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "false", "no", "0", "off":
		return false
	default:
		return true
	}
}

// Compare tells which of two fields wants to be shown first, as cmp.Compare does;
// 0 where neither says so.
func (h Hints) Compare(other Hints) int {
	switch {
	case h.Order != nil && other.Order != nil:
		return cmp.Compare(*h.Order, *other.Order)
	case h.Order != nil:
		return -1
	case other.Order != nil:
		return 1
	default:
		return 0
	}
}

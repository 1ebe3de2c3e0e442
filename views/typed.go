package views

import (
	"regexp"
	"slices"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/topology"
)

// typedRow is a value that a refused form held, under the label of its input.
type typedRow struct{ Label, Value string }

// maxTyped is how much of one value is shown; it is kept as a whole.
const maxTyped = 300

// typedRows lists what a person typed; what the form carries for itself is kept
// without a word.
func typedRows(p Page, typed []Typed) []typedRow {
	pools := map[string]string{}
	for _, t := range typed {
		if pool, ok := strings.CutSuffix(t.Name, ".name"); ok && poolInputName(t.Name) != "" {
			pools[pool] = t.Value
		}
	}
	typed = slices.Clone(typed)
	slices.SortStableFunc(typed, func(a, b Typed) int { return typedRank(a.Name) - typedRank(b.Name) })
	var rows []typedRow
	for _, t := range typed {
		label := typedLabel(p, t.Name, pools)
		if label == "" {
			continue
		}
		value := []rune(t.Value)
		if len(value) > maxTyped {
			value = append(value[:maxTyped], '…')
		}
		rows = append(rows, typedRow{label, string(value)})
	}
	return rows
}

// typedRank puts the settings first, as the form does; then the rest.
func typedRank(name string) int {
	if i := slices.IndexFunc(basicNames(), func(b basicName) bool { return b.input == name }); i >= 0 {
		return i - len(basicNames())
	}
	if poolInputName(name) != "" {
		return 0
	}
	return 1
}

// typedLabel is empty for inputs that nobody types into.
func typedLabel(p Page, name string, pools map[string]string) string {
	for _, b := range basicNames() {
		if b.input == name {
			return p.t(b.key)
		}
	}
	switch name {
	case topology.InputManifest:
		return p.t("create.paste.label")
	case "replicas", "min", "max":
		return p.t(poolLabel(name))
	}
	if field := poolInputName(name); field != "" {
		pool := strings.TrimSuffix(name, "."+field)
		return poolTitle(p, topology.CreatePool{Name: pools[pool]}) + ", " + p.t(poolLabel(field))
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	scope, _, below := strings.Cut(name, ".")
	if !below || !regexp.MustCompile(`^(v|c|p[0-9]+)$`).MatchString(scope) || catalog.Marker(last) {
		return ""
	}
	label := catalog.ReadableName(name)
	if catalog.KeyMarker(last) {
		label += ", " + p.t("create.key")
	}
	switch {
	case scope == "c":
		return p.t("views.cp") + ", " + label
	case scope != "v":
		return poolTitle(p, topology.CreatePool{Name: pools["pool"+scope[1:]]}) + ", " + label
	}
	return label
}

// poolInputName is which of a pool's inputs somebody types into has this name;
// empty when none has.
func poolInputName(name string) string {
	m := regexp.MustCompile(`^pool[0-9]+\.(name|class|replicas|min|max|fd|labels|annotations)$`).FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	return m[1]
}

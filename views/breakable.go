package views

import (
	"context"
	"io"
	"strings"
	"unicode"

	"github.com/a-h/templ"
)

// breakable is a long name that may go on in the next line where a reader would
// part it: keyRotation|Hours, a.|b, x-|y.
func breakable(text string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		parts := humps(text)
		for i := range parts {
			parts[i] = templ.EscapeString(parts[i])
		}
		_, err := io.WriteString(w, strings.Join(parts, "<wbr>"))
		return err
	})
}

// humps parts a name before each upper case letter that follows a lower case one
// or a digit, and behind dots, dashes and the like, but not within numbers.
func humps(text string) []string {
	var parts []string
	from, before := 0, ' '
	for i, r := range text {
		hump := unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before))
		joint := strings.ContainsRune("._-/:,", before) && !strings.ContainsRune("._-/:,", r) && !(before == '.' && unicode.IsDigit(r))
		if i > from && (hump || joint) {
			parts, from = append(parts, text[from:i]), i
		}
		before = r
	}
	return append(parts, text[from:])
}

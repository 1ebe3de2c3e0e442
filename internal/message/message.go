// Package message turns keys with typed arguments into words.
//
// Pure packages never write sentences: they return a Text (a key and its
// arguments). views asks a Printer for the words, in the language of the
// person who looks. The catalogues lie beside this file, one TOML file per
// language; both hold the same keys with the same arguments (a test compares
// them). A leaf: it imports nothing of Capstan.
package message

// Key names one message of the catalogue, for example "state.scaling".
type Key string

// Text is a message that has not been put into words yet. The zero Text says
// nothing and is printed as an empty string.
type Text struct {
	Key  Key
	Args []Arg
}

// Arg is one named argument of a Text. Exactly one of its values is used: see
// Str, Num and Sub.
type Arg struct {
	Name string
	kind argKind
	str  string
	num  int
	sub  *Text
}

type argKind int

const (
	strArg argKind = iota
	numArg
	subArg
)

// New makes a Text.
func New(key Key, args ...Arg) Text { return Text{Key: key, Args: args} }

// Str is an argument that is printed as it stands (a name, a version).
func Str(name, value string) Arg { return Arg{Name: name, kind: strArg, str: value} }

// Num is a count: the argument named "n" chooses the plural form.
func Num(name string, value int) Arg { return Arg{Name: name, kind: numArg, num: value} }

// Sub is an argument that is a Text itself and printed in the same language.
func Sub(name string, value Text) Arg { return Arg{Name: name, kind: subArg, sub: &value} }

// IsZero tells whether there is nothing to say.
func (t Text) IsZero() bool { return t.Key == "" }

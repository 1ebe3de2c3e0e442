package message

// Printer puts Texts into the words of one language.
type Printer struct {
	lang string
}

// Say gives the words of t; "" for the zero Text.
func (p Printer) Say(t Text) string { return string(t.Key) }

// Key gives the words of a message without arguments.
func (p Printer) Key(key Key) string { return p.Say(Text{Key: key}) }

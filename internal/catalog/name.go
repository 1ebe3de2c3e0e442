package catalog

import (
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
)

// Names of inputs. A name is a list of segments joined by dots and made of
// letters, digits, "_", "-", "." and "~" only, so it is fit for HTML ids, URLs'
// fragments and form keys as it stands:
//
//	v.net.peers.~i0.name   property name of entry 0 of peers of variable net
//	v.tags.~r1             value of the second row of the map tags
//	v.tags.~r1.~key        its key
//	v.net.~set             marker: net is set, even if nothing in it is
//	v.net.~yaml            net is edited as YAML, whatever its kind
//	v.note.~lines          marker: note is typed into a box of several lines
//	v.net.~rest            fields of net that its schema doesn't name, as YAML
//	v.~aside, v.~order     what State.Aside and the order of variables need
//
// The first segment is the prefix that the caller chose for the scope (all of
// the cluster, the control plane's overrides, those of one pool). Any byte of a
// property's name outside letters, digits, "_" and "-" is written ~XX in upper
// case hexadecimal, which no marker looks like.
const (
	markSet   = "~set"
	markYAML  = "~yaml"
	markRest  = "~rest"
	markLines = "~lines"
	markKey   = "~key"
	markAside = "~aside"
	markOrder = "~order"
	markItem  = "~i"
	markRow   = "~r"
)

var errName = errors.New("not the name of an input")

// Escape writes one property name as a segment of an input's name.
func Escape(property string) string {
	var b strings.Builder
	for i := 0; i < len(property); i++ {
		c := property[i]
		if safeByte(c) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('~')
		b.WriteString(strings.ToUpper(hex.EncodeToString([]byte{c})))
	}
	return b.String()
}

// Unescape reads a segment that Escape wrote.
func Unescape(segment string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(segment); i++ {
		c := segment[i]
		switch {
		case safeByte(c):
			b.WriteByte(c)
		case c == '~' && i+2 < len(segment):
			raw, err := hex.DecodeString(segment[i+1 : i+3])
			if err != nil || strings.ToUpper(segment[i+1:i+3]) != segment[i+1:i+3] {
				return "", errName
			}
			b.Write(raw)
			i += 2
		default:
			return "", errName
		}
	}
	return b.String(), nil
}

func safeByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || digit(c) || c == '_' || c == '-'
}

func join(name, segment string) string { return name + "." + segment }

func itemName(list string, i int) string { return join(list, markItem+strconv.Itoa(i)) }

func rowName(m string, i int) string { return join(m, markRow+strconv.Itoa(i)) }

// rowIndex reads "~i3" or "~r3".
func rowIndex(segment, mark string) (int, bool) {
	digits, ok := strings.CutPrefix(segment, mark)
	if !ok || digits == "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == digits
}

// Marker tells segments that only the form itself needs from those of inputs.
func Marker(segment string) bool {
	switch segment {
	case markSet, markLines, markAside, markOrder:
		return true
	}
	return false
}

// KeyMarker tells the segment of a key's input, in a row of a map.
func KeyMarker(segment string) bool { return segment == markKey }

// ReadableName turns an input's name into what people call it: "net.peers[0].name".
func ReadableName(name string) string {
	segments := strings.Split(name, ".")
	var b strings.Builder
	for _, s := range segments[1:] {
		if i, ok := rowIndex(s, markItem); ok {
			b.WriteString("[" + strconv.Itoa(i) + "]")
			continue
		}
		if i, ok := rowIndex(s, markRow); ok {
			b.WriteString("[" + strconv.Itoa(i) + "]")
			continue
		}
		property, err := Unescape(s)
		if err != nil {
			continue // a marker: no part of the name for people
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(property)
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

package catalog

import (
	"encoding/json"
	"strings"
)

// Document writes a JSON object as YAML, with lists of variables in the places
// where the object has their names as a text.
func Document(object json.RawMessage, places map[string][]Line) []Line {
	value, err := decode(object)
	if err != nil {
		return nil
	}
	var out []Line
	for _, line := range writeYAML(value, cursor{}) {
		head, place, ok := strings.Cut(line.Text, ": ")
		variables, known := places[place]
		if !ok || !known {
			out = append(out, line)
			continue
		}
		out = append(out, Line{Text: head + ":", Added: allAdded(variables)})
		margin := strings.Repeat(" ", len(head)-len(strings.TrimLeft(head, " -")))
		for _, v := range variables {
			v.Text = margin + v.Text
			out = append(out, v)
		}
	}
	return out
}

func allAdded(lines []Line) bool {
	for _, l := range lines {
		if !l.Added {
			return false
		}
	}
	return true
}

// Compared writes a JSON object as YAML; what it has and before has not is marked
// as added.
func Compared(before, after json.RawMessage) []Line {
	old, err := decode(before)
	if err != nil {
		return nil
	}
	value, err := decode(after)
	if err != nil {
		return nil
	}
	return writeYAML(value, cursor{compare: true, before: old, was: true})
}

package catalog

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// PathAt is the path of the value that begins last before an offset in JSON,
// like "spec.pools[0].name": where a decoder that stopped there found it.
func (d YAMLDocument) PathAt(offset int64) string {
	f := pathFinder{decoder: json.NewDecoder(bytes.NewReader(d.JSON)), until: offset}
	f.value("")
	return f.path
}

type pathFinder struct {
	decoder *json.Decoder
	until   int64
	path    string
}

// value reads one value; false ends the search.
func (f *pathFinder) value(path string) bool {
	if f.decoder.InputOffset() >= f.until && path != "" {
		return false
	}
	f.path = path
	token, err := f.decoder.Token()
	if err != nil {
		return false
	}
	switch token {
	case json.Delim('{'):
		return f.members(path)
	case json.Delim('['):
		return f.entries(path)
	}
	return true
}

func (f *pathFinder) members(path string) bool {
	for f.decoder.More() {
		token, err := f.decoder.Token()
		key, ok := token.(string)
		if err != nil || !ok || !f.value(below(path, key)) {
			return false
		}
	}
	_, err := f.decoder.Token()
	return err == nil
}

func (f *pathFinder) entries(path string) bool {
	for i := 0; f.decoder.More(); i++ {
		if !f.value(path + "[" + strconv.Itoa(i) + "]") {
			return false
		}
	}
	_, err := f.decoder.Token()
	return err == nil
}

func below(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

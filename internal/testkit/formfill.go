package testkit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/capstan-portal/capstan/internal/catalog"
)

// Fill fills a field and all below it with a value as encoding/json reads it
// with UseNumber, by pressing and typing what a person would. name is the
// field's name in the form, for example "v.net".
func (f *HTMLForm) Fill(field *catalog.Field, name string, value any) {
	f.t.Helper()
	f.pressIf("set " + name)
	switch field.Kind {
	case catalog.KindObject:
		f.fillObject(field, name, value)
	case catalog.KindArray:
		f.fillArray(field, name, value)
	case catalog.KindMap:
		f.fillMap(field, name, value)
	case catalog.KindYAML:
		f.Type(name, jsonOf(value))
	case catalog.KindBoolean, catalog.KindEnum:
		f.Choose(name, jsonOf(value))
	case catalog.KindString:
		text, _ := value.(string)
		f.fillText(name, text)
	default:
		f.Type(name, fmt.Sprint(value))
	}
}

func (f *HTMLForm) pressIf(do string) bool {
	f.t.Helper()
	if !f.Offers(do) {
		return false
	}
	f.Press(do)
	return true
}

// jsonOf is canonical JSON, which is YAML too.
func jsonOf(value any) string {
	raw, err := json.Marshal(value)
	if err == nil {
		raw, err = catalog.Canonical(raw)
	}
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func (f *HTMLForm) fillText(name, text string) {
	f.t.Helper()
	if slices.Contains([]rune(text), '\n') && f.controls[name].kind != "textarea" {
		f.Press("lines " + name)
	}
	f.Type(name, text)
	if empty := name + ".~set"; f.controls[empty].kind == "checkbox" {
		f.Tick(empty, text == "")
	} else if text == "" && !f.Has(empty) {
		f.t.Fatalf("%s can't be set to nothing", name)
	}
}

func (f *HTMLForm) fillObject(field *catalog.Field, name string, value any) {
	f.t.Helper()
	m, _ := value.(map[string]any)
	rest := map[string]any{}
	for key, v := range m {
		rest[key] = v
	}
	for _, child := range field.Fields {
		at := name + "." + catalog.Escape(child.Name)
		v, ok := m[child.Name]
		delete(rest, child.Name)
		if ok {
			f.Fill(child, at, v)
			continue
		}
		f.clear(at)
	}
	if more := name + ".~rest"; len(rest) > 0 {
		f.Type(more, jsonOf(rest))
	} else if f.Has(more) {
		f.Type(more, "")
	}
	if len(m) == 0 && !f.Has(name+".~set") {
		f.t.Fatalf("%s can't be set to an empty object", name)
	}
}

// clear forgets what a default has filled in.
func (f *HTMLForm) clear(name string) {
	f.t.Helper()
	if f.pressIf("unset "+name) || f.Value(name) == "" {
		return
	}
	if k := f.controls[name].kind; k == "radio" || k == "select" {
		f.Choose(name, "")
		return
	}
	f.Type(name, "")
}

func (f *HTMLForm) fillArray(field *catalog.Field, name string, value any) {
	f.t.Helper()
	list, _ := value.([]any)
	for f.hasRow(name + ".~i" + strconv.Itoa(len(list))) {
		f.Press("remove " + name + ".~i" + strconv.Itoa(len(list)))
	}
	for i, v := range list {
		row := name + ".~i" + strconv.Itoa(i)
		if !f.hasRow(row) {
			f.Press("add " + name)
		}
		f.Fill(field.Item, row, v)
	}
}

func (f *HTMLForm) hasRow(row string) bool { return f.Offers("remove " + row) }

func (f *HTMLForm) fillMap(field *catalog.Field, name string, value any) {
	f.t.Helper()
	m, _ := value.(map[string]any)
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for f.hasRow(name + ".~r" + strconv.Itoa(len(keys))) {
		f.Press("remove " + name + ".~r" + strconv.Itoa(len(keys)))
	}
	for i, key := range keys {
		row := name + ".~r" + strconv.Itoa(i)
		if !f.hasRow(row) {
			f.Press("add " + name)
		}
		f.Type(row+".~key", key)
		f.Fill(field.Item, row, m[key])
	}
}

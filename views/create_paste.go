package views

import (
	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/topology"
)

// PasteInput is what the page for a manifest is made of.
type PasteInput struct {
	Text   string // as it was pasted
	Faults []fail.Fault
}

type pasteView struct {
	Page
	Action, Back templ.SafeURL
	Input        inputView
}

// Paste is the page that a manifest is pasted into.
func Paste(p Page, in PasteInput) Screen {
	v := pasteView{Page: p, Action: templ.SafeURL(p.URLs.Paste()), Back: templ.SafeURL(p.URLs.Create())}
	v.Input = inputView{Name: topology.InputManifest, Label: p.t("create.paste.label"), Value: in.Text, Focus: true}
	for _, f := range in.Faults {
		v.Input.Faults = append(v.Input.Faults, p.Say.Say(f.Text))
	}
	return Screen{Title: p.t("create.paste.title"), Body: pastePage(v)}
}

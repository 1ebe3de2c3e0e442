package views

import "github.com/a-h/templ"

// faultAttrs are what an input with faults, or with the focus, has besides.
func faultAttrs(input string, faults []string, focus bool) templ.Attributes {
	a := templ.Attributes{}
	if len(faults) > 0 {
		a["aria-invalid"], a["aria-describedby"] = "true", input+"-err"
	}
	if focus {
		a["autofocus"], a["data-focus"] = true, true
	}
	return a
}

func inputType(v nodeView) string {
	if v.Control == controlSecret {
		return "password"
	}
	return "text"
}

func autocompleteOf(v nodeView) string {
	if v.Control == controlSecret {
		return "new-password"
	}
	return "off"
}

func hiddenFor(hidden bool) string {
	if hidden {
		return "true"
	}
	return "false"
}

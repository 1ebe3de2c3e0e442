package catalog

import (
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// Refusal is one cause of the API server's refusal, put where it belongs.
type Refusal struct {
	Location
	// Fault stands at the variable's input; where the field is no variable its
	// Field is the API's path and whoever owns that input places it.
	Fault fail.Fault
}

// Explain turns the causes of a refused Cluster (status.details.causes of a 422)
// into sentences at inputs. The log should keep the causes as they came.
func (f *Form) Explain(causes []metav1.StatusCause) []Refusal {
	var out []Refusal
	for _, c := range causes {
		if !strings.HasSuffix(c.Message, unchecked) {
			out = append(out, f.explain(c, len(causes) > 1)...)
		}
	}
	return out
}

// unchecked ends a cause that is none: the API server says that the faults beside
// it kept it from looking for more.
const unchecked = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

// explain words one cause; among others what only repeats another is left out.
func (f *Form) explain(c metav1.StatusCause, among bool) []Refusal {
	at := f.Locate(c.Field)
	words := causeWords(c.Message)
	if name, ok := between(words, `required variable "`, `" must be set`); ok && at.state != nil {
		return at.missing(name, c.Field)
	}
	if at.place.node == nil {
		text, _ := explainWords(words)
		return []Refusal{{Location: at, Fault: fail.Fault{Field: c.Field, Text: text}}}
	}
	if list, ok := between(words, `failed validation: "`, `" field(s) are not specified`); ok {
		return at.unknown(list)
	}
	faults, _ := explain(at.place.node, at.place.rest, words)
	offered := func(top *Node) bool { return top.offers(at.place.node) }
	if among && len(faults) == 1 && fault(faults[0].Text.Key) == faultRequired && slices.ContainsFunc(at.state.Nodes, offered) {
		return nil
	}
	return at.refusals(faults)
}

func (l Location) refusals(faults []fail.Fault) []Refusal {
	out := make([]Refusal, 0, len(faults))
	for _, f := range faults {
		at := l
		at.Input = f.Field
		out = append(out, Refusal{Location: at, Fault: f})
	}
	return out
}

// missing places a required variable, which the webhook names in words only. One
// that the form doesn't have is newer than the form.
func (l Location) missing(name, path string) []Refusal {
	n := l.state.Variable(name)
	if n == nil {
		return []Refusal{{Location: l, Fault: faultRequiredNew.about(path, name)}}
	}
	return l.refusals(n.missing())
}

func (l Location) unknown(list string) []Refusal {
	var faults []fail.Fault
	for _, path := range strings.Split(list, ",") {
		// What Cluster API wraps values in, and takes off those of objects only.
		if entry, ok := strings.CutPrefix(path, "variableValue["); ok {
			path = "[" + entry
		}
		faults = append(faults, unknownField(l.place.node, path))
	}
	return l.refusals(faults)
}

// causeWords takes "Invalid value: " and the repeated value off a message. A
// value in quotes is taken off as a whole, for it may hold anything.
func causeWords(words string) string {
	for _, kind := range []string{"Invalid value", "Unsupported value", "Duplicate value", "Too many", "Not found"} {
		after, ok := strings.CutPrefix(words, kind+": ")
		if !ok {
			continue
		}
		if quoted, err := strconv.QuotedPrefix(after); err == nil {
			after = strings.TrimPrefix(after[len(quoted):], ": ")
		} else if i := strings.Index(after, ": "); i >= 0 {
			after = after[i+2:]
		}
		if after == "" {
			return words
		}
		return after
	}
	for _, kind := range []string{"Forbidden: ", "Too long: ", "Internal error: "} {
		if after, ok := strings.CutPrefix(words, kind); ok {
			return after
		}
	}
	if after, ok := strings.CutPrefix(words, "Required value: "); ok && strings.HasPrefix(after, "required variable") {
		return after
	}
	return words
}

func between(s, before, after string) (string, bool) {
	_, rest, ok := strings.Cut(s, before)
	if !ok {
		return "", false
	}
	inner, _, ok := strings.Cut(rest, after)
	return inner, ok
}

// Summary is what stands in a list of faults on top of the form: what the input
// is called, and its fault.
func Summary(f fail.Fault) message.Text {
	name := ReadableName(f.Field)
	if name == "" {
		return f.Text
	}
	return faultWithin.text(message.Str("path", name), message.Sub("what", f.Text))
}

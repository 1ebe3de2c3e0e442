package catalog

import (
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// fault is the key of one kind of fault, a sentence for the input it stands at.
type fault message.Key

// Faults of typed text.
const (
	faultEmpty     fault = "catalog.fault.empty"
	faultInteger   fault = "catalog.fault.integer"
	faultNumber    fault = "catalog.fault.number"
	faultBoolean   fault = "catalog.fault.boolean"
	faultYAML      fault = "catalog.fault.yaml"       // words
	faultYAMLLine  fault = "catalog.fault.yaml-line"  // line, words
	faultKeyEmpty  fault = "catalog.fault.key-empty"  //
	faultKeyTwice  fault = "catalog.fault.key-twice"  // name
	faultRestMap   fault = "catalog.fault.rest-map"   //
	faultRestTwice fault = "catalog.fault.rest-twice" // name
	faultNoControl fault = "catalog.fault.no-control" //
	faultManyRows  fault = "catalog.fault.many-rows"  //
)

// Faults that a schema finds.
const (
	faultRequired    fault = "catalog.fault.required"
	faultRequiredNew fault = "catalog.fault.required-new" // name
	faultType        fault = "catalog.fault.type"         // type
	faultFormat      fault = "catalog.fault.format"
	faultEnum        fault = "catalog.fault.enum"
	faultEnumOf      fault = "catalog.fault.enum-of"   // choices
	faultRange       fault = "catalog.fault.range"     // format
	faultMin         fault = "catalog.fault.min"       // limit
	faultMax         fault = "catalog.fault.max"       // limit
	faultAbove       fault = "catalog.fault.above"     // limit
	faultBelow       fault = "catalog.fault.below"     // limit
	faultShort       fault = "catalog.fault.short"     // n
	faultLong        fault = "catalog.fault.long"      // n
	faultPattern     fault = "catalog.fault.pattern"   // pattern
	faultUnique      fault = "catalog.fault.unique"    //
	faultFewItems    fault = "catalog.fault.few-items" // n
	faultManyItems   fault = "catalog.fault.many-items"
	faultFewEntries  fault = "catalog.fault.few-entries"
	faultManyEntries fault = "catalog.fault.many-entries"
	faultUnknown     fault = "catalog.fault.unknown"      // name
	faultInexact     fault = "catalog.fault.inexact"      // number
	faultAllOf       fault = "catalog.fault.all-of"       //
	faultAnyOf       fault = "catalog.fault.any-of"       //
	faultOneOf       fault = "catalog.fault.one-of"       //
	faultNot         fault = "catalog.fault.not"          //
	faultRule        fault = "catalog.fault.rule"         // words
	faultRuleBare    fault = "catalog.fault.rule-bare"    // rule
	faultSaid        fault = "catalog.fault.said"         // words
	faultNotDefined  fault = "catalog.fault.not-defined"  // name
	faultConflict    fault = "catalog.fault.conflict"     // name
	faultBadSchema   fault = "catalog.fault.bad-schema"   // words
	faultWithin      fault = "catalog.fault.within"       // path, what
	faultSetOneOf    fault = "catalog.fault.set-one-of"   // names
	faultSetOnlyOne  fault = "catalog.fault.set-only-one" // names
)

func (f fault) text(args ...message.Arg) message.Text { return message.New(message.Key(f), args...) }

// at puts a fault without arguments at an input.
func (f fault) at(input string) fail.Fault { return fail.Fault{Field: input, Text: f.text()} }

// about is a fault that names something.
func (f fault) about(input, name string) fail.Fault {
	return fail.Fault{Field: input, Text: f.text(message.Str("name", name))}
}

// said is a fault that repeats someone else's words.
func (f fault) said(input, words string) fail.Fault {
	return fail.Fault{Field: input, Text: f.text(message.Str("words", words))}
}

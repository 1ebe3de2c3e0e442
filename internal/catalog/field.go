package catalog

import "encoding/json"

// Kind says which control a Field is edited with.
type Kind string

// The kinds. A new one needs its parser in node_json.go and one case in the
// field's component.
const (
	KindString      Kind = "string"
	KindInteger     Kind = "integer"
	KindNumber      Kind = "number"
	KindBoolean     Kind = "boolean"
	KindEnum        Kind = "enum"          // one of Options, of any type
	KindObject      Kind = "object"        // named Fields
	KindArray       Kind = "array"         // rows of Item
	KindMap         Kind = "map"           // rows of Item, each with a key
	KindIntOrString Kind = "int-or-string" // whole digits are an integer, all else a string
	KindYAML        Kind = "yaml"          // no control can be right: free YAML
)

// Field is one node of a variable's schema, for documentation and for forms.
type Field struct {
	// Name is the variable's or the property's; empty for items and map values.
	Name string
	// Path is where the field stands for people, from the variable on, for
	// example "net.peers[].name".
	Path        string
	Kind        Kind
	Type        string // the schema's type; empty for int-or-string and unknown
	Required    bool   // the key must be there; for a variable: cluster-wide
	Description string
	Example     json.RawMessage // nil when there is none
	Default     json.RawMessage // nil when there is none; null is a value
	Options     []Option        // enum, in the class's order
	Bounds      Bounds
	Pattern     string // RE2, not anchored: not fit for HTML's pattern
	Format      string
	UniqueItems bool
	Preserve    bool // unknown fields are kept beside Fields
	Rules       []Rule
	Choices     []Choice // allOf, anyOf, oneOf, not
	Hints       Hints
	Fields      []*Field // of an object, in the order to show
	Item        *Field   // of arrays and maps
}

// Option is one entry of an enum. Value is canonical JSON and also what a form
// submits; Label is what people read.
type Option struct {
	Value json.RawMessage
	Label string
}

// Bounds are the limits of a value; nil is no limit, 0 is one.
type Bounds struct {
	Min, Max                   *int64
	ExclusiveMin, ExclusiveMax bool
	MinLength, MaxLength       *int64 // in characters, not bytes
	MinItems, MaxItems         *int64 // of arrays
	MinProperties              *int64 // of objects and maps
	MaxProperties              *int64
}

// Rule is one x-kubernetes-validations entry.
type Rule struct {
	Rule              string
	Message           string // may be empty
	MessageExpression string
	FieldPath         string
	Transition        bool // uses oldSelf: checked on change only
}

// Choice is one allOf, anyOf, oneOf or not.
type Choice struct {
	How      ChoiceKind
	Branches []Branch
}

// ChoiceKind names how the branches of a Choice work together.
type ChoiceKind string

// The ways of JSON schema.
const (
	AllOf ChoiceKind = "allOf"
	AnyOf ChoiceKind = "anyOf"
	OneOf ChoiceKind = "oneOf"
	Not   ChoiceKind = "not"
)

// Branch is one schema of a Choice: the properties it demands, and its whole
// text as YAML for what a sentence can't say.
type Branch struct {
	Required     []string
	OnlyRequired bool // nothing else is demanded: can be offered as an alternative
	YAML         string
}

// Scalar tells whether the field is edited as one text.
func (f *Field) Scalar() bool {
	switch f.Kind {
	case KindObject, KindArray, KindMap, KindYAML:
		return false
	default:
		return true
	}
}

// MinRows is how many entries an array or map must have.
func (f *Field) MinRows() int64 {
	for _, p := range []*int64{f.Bounds.MinItems, f.Bounds.MinProperties} {
		if p != nil {
			return *p
		}
	}
	return 0
}

// MaxRows is how many entries an array or map may have; -1 means no limit.
func (f *Field) MaxRows() int64 {
	for _, p := range []*int64{f.Bounds.MaxItems, f.Bounds.MaxProperties} {
		if p != nil {
			return *p
		}
	}
	return -1
}

// Walk calls visit for f and every field below, parents first.
func (f *Field) Walk(visit func(*Field)) {
	visit(f)
	for _, child := range f.Fields {
		child.Walk(visit)
	}
	if f.Item != nil {
		f.Item.Walk(visit)
	}
}

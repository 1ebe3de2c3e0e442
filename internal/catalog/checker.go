package catalog

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"

	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/fail"
)

// Checker checks values against one class at one generation as Cluster API's
// webhooks do: defaulting first, then schema, unknown fields and CEL rules.
// Keep it for as long as the generation lives: each variable is compiled once,
// when it is first needed. It may be used by many at a time.
type Checker struct {
	schema   *Schema
	programs map[string]func() (*program, error)
}

var errNoVariable = errors.New("the class defines no such variable")

// NewChecker compiles nothing yet.
func NewChecker(schema *Schema) *Checker {
	c := &Checker{schema: schema, programs: make(map[string]func() (*program, error), len(schema.Variables))}
	for _, v := range schema.Variables {
		c.programs[v.Name] = sync.OnceValues(func() (*program, error) { return compile(&v.schema) })
	}
	return c
}

// Schema is what the checker checks against.
func (c *Checker) Schema() *Schema { return c.schema }

// Check finds the faults of the variables of a whole cluster, in the form's
// order, each at the input that can mend it. old are the variables that are now
// on the Cluster (rules about change need them), nil for a new one.
func (c *Checker) Check(ctx context.Context, s State, old []clusterv1.ClusterVariable) []fail.Fault {
	return c.check(ctx, s, old, true)
}

// CheckOverrides is Check for overrides, of which none is required.
func (c *Checker) CheckOverrides(ctx context.Context, s State, old []clusterv1.ClusterVariable) []fail.Fault {
	return c.check(ctx, s, old, false)
}

// CheckForm checks the cluster's variables and all overrides. old are the forms'
// present values, nil for a new cluster.
func (c *Checker) CheckForm(ctx context.Context, f *Form, old *Form) []fail.Fault {
	if old == nil {
		old = &Form{}
	}
	faults := c.Check(ctx, f.Cluster, old.Cluster.present())
	faults = append(faults, c.CheckOverrides(ctx, f.ControlPlane, old.ControlPlane.present())...)
	for _, p := range f.MachineDeployments {
		faults = append(faults, c.CheckOverrides(ctx, p.State, poolNamed(old.MachineDeployments, p.Name).present())...)
	}
	for _, p := range f.MachinePools {
		faults = append(faults, c.CheckOverrides(ctx, p.State, poolNamed(old.MachinePools, p.Name).present())...)
	}
	return faults
}

func poolNamed(pools []PoolState, name string) State {
	for _, p := range pools {
		if p.Name == name {
			return p.State
		}
	}
	return State{}
}

func (s State) present() []clusterv1.ClusterVariable {
	variables, _ := s.Variables()
	return variables
}

func (c *Checker) check(ctx context.Context, s State, old []clusterv1.ClusterVariable, whole bool) []fail.Fault {
	var faults []fail.Fault
	before := make(map[string][]byte, len(old))
	for i := range old {
		before[old[i].Name] = old[i].Value.Raw
	}
	for _, n := range s.Shown() {
		if v := c.schema.Variable(n.Field.Name); v != nil && v.Conflict {
			faults = append(faults, faultConflict.about(n.Name, n.Field.Name))
			continue
		}
		faults = append(faults, c.checkNode(ctx, n, before[n.Field.Name], whole)...)
	}
	return faults
}

func (c *Checker) checkNode(ctx context.Context, n *Node, old []byte, whole bool) []fail.Fault {
	value, ok, typed := n.value()
	if !ok {
		if whole && n.Field.Required && n.Field.Default == nil {
			return n.missing()
		}
		return nil
	}
	p, err := c.program(n.Field.Name)
	if err != nil {
		return append(typed, faultBadSchema.said(n.Name, err.Error()))
	}
	found := append(p.check(ctx, n, p.defaulted(value), old), inexact(n, "", value)...)
	return tidy(n, typed, plainest(found))
}

// plainest keeps, of the faults that say of one number in different words that
// it is too large, the plainest: its bound, else the range of its format, else
// that it can't be kept exactly, else its type.
func plainest(found []fail.Fault) []fail.Fault {
	best := map[string]int{}
	for _, f := range found {
		if r := sizeRank(f); r > 0 && (best[f.Field] == 0 || r < best[f.Field]) {
			best[f.Field] = r
		}
	}
	return slices.DeleteFunc(found, func(f fail.Fault) bool { return sizeRank(f) > best[f.Field] })
}

// sizeRank is 0 for faults about anything else.
func sizeRank(f fail.Fault) int {
	switch fault(f.Text.Key) {
	case faultMin, faultMax, faultBelow, faultAbove:
		return 1
	case faultRange:
		return 2
	case faultInexact:
		return 3
	case faultType, faultFormat:
		return 4
	}
	return 0
}

func (c *Checker) program(variable string) (*program, error) {
	p, ok := c.programs[variable]
	if !ok {
		return nil, errNoVariable
	}
	return p()
}

// defaulted is a copy of a value with the schema's defaults filled in.
func (p *program) defaulted(value tree) tree {
	w := map[string]any{wrapped: copyTree(value)}
	structuraldefaulting.Default(w, p.structural)
	return w[wrapped]
}

// missing are the faults of a required node that isn't set: at the required
// inputs inside it, which stand open in the form, else at itself.
func (n *Node) missing() []fail.Fault {
	var faults []fail.Fault
	for _, child := range n.Fields {
		if child.Field.Required && child.Field.Default == nil {
			faults = append(faults, child.missing()...)
		}
	}
	if faults == nil {
		faults = []fail.Fault{faultRequired.at(n.InputName())}
	}
	return faults
}

// tidy sorts faults into the form's order and drops what says the same twice:
// where a text can't be understood the schema's opinion of it means nothing.
func tidy(top *Node, typed, found []fail.Fault) []fail.Fault {
	bad := make(map[string]bool, len(typed))
	for _, f := range typed {
		bad[baseName(f.Field)] = true
	}
	all := slices.Clone(typed)
	said := make(map[string][]fail.Fault) // by input; there may be thousands
	for _, f := range found {
		if !bad[baseName(f.Field)] && !slices.ContainsFunc(said[f.Field], func(o fail.Fault) bool { return reflect.DeepEqual(o, f) }) {
			all, said[f.Field] = append(all, f), append(said[f.Field], f)
		}
	}
	place := make(map[string]int)
	top.Walk(func(n *Node) { place[n.Name] = len(place) })
	slices.SortStableFunc(all, func(a, b fail.Fault) int {
		return place[baseName(a.Field)] - place[baseName(b.Field)]
	})
	return all
}

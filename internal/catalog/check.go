package catalog

import (
	"context"
	"strconv"
	"strings"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	openapierrors "k8s.io/kube-openapi/pkg/validation/errors"

	"github.com/capstan-portal/capstan/internal/fail"
)

// check runs a defaulted value through the three layers. The webhook stops
// after the first layer that finds something; people want to know it all. Rules
// are skipped only where the value has not even the shape they speak about.
func (p *program) check(ctx context.Context, n *Node, value tree, old []byte) []fail.Fault {
	value = plain(value)
	faults, shapeless := p.checkSchema(n, value)
	faults = append(faults, p.checkUnknown(n, value)...)
	if !shapeless {
		faults = append(faults, p.checkRules(ctx, n, value, old)...)
	}
	return faults
}

func (p *program) checkSchema(n *Node, value tree) (faults []fail.Fault, shapeless bool) {
	result := p.validator.Validate(value)
	for _, err := range result.Errors {
		path, words := schemaPath(err)
		found, drop := explain(n, path, words)
		if drop && len(result.Errors) > 1 {
			continue
		}
		faults = append(faults, found...)
		_, what := explainWords(words)
		shapeless = shapeless || spoilsShape(what)
	}
	return faults, shapeless
}

// spoilsShape: rules can't be run on values with such faults, as in Kubernetes.
func spoilsShape(what fault) bool {
	switch what {
	case faultType, faultRequired, faultLong, faultManyItems, faultManyEntries:
		return true
	default:
		return false
	}
}

// schemaPath takes a schema error apart. Most name the place; those about
// alternatives have it in quotes in their words only.
func schemaPath(err error) (path, words string) {
	words = err.Error()
	if v, ok := err.(*openapierrors.Validation); ok { //nolint:errorlint // as the validator returns it
		return strings.TrimPrefix(v.Name, "."), strings.TrimPrefix(words, v.Name)
	}
	quoted, e := strconv.QuotedPrefix(words)
	if e != nil {
		return "", words
	}
	path, e = strconv.Unquote(quoted)
	if e != nil {
		return "", words
	}
	return strings.TrimPrefix(path, "."), words[len(quoted):]
}

// checkUnknown: Cluster API refuses fields that the schema doesn't name, where
// a custom resource would lose them silently.
func (p *program) checkUnknown(n *Node, value tree) []fail.Fault {
	w := map[string]any{wrapped: copyTree(value)}
	opts := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	var faults []fail.Fault
	for _, path := range pruning.PruneWithOptions(w, p.structural, false, opts) {
		path = strings.TrimPrefix(strings.TrimPrefix(path, wrapped), ".")
		faults = append(faults, unknownField(n, path))
	}
	return faults
}

func unknownField(n *Node, path string) fail.Fault {
	to := locate(n, path)
	return faultUnknown.about(to.input, to.name())
}

func (p *program) checkRules(ctx context.Context, n *Node, value tree, old []byte) []fail.Fault {
	if p.cel == nil {
		return nil
	}
	var before any
	if len(old) > 0 {
		if v, err := decode(old); err == nil {
			before = map[string]any{wrapped: plain(v)}
		}
	}
	errs, _ := p.cel.Validate(ctx, nil, p.structural, map[string]any{wrapped: value}, before, celconfig.RuntimeCELCostBudget)
	var faults []fail.Fault
	for _, err := range errs {
		faults = append(faults, ruleFault(n, err))
	}
	return faults
}

func ruleFault(n *Node, err *field.Error) fail.Fault {
	path := strings.TrimPrefix(strings.TrimPrefix(err.Field, "<nil>."), wrapped)
	to := locate(n, strings.TrimPrefix(path, "."))
	words := err.Detail
	if err.Type == field.ErrorTypeRequired && words == "" {
		return to.within(faultRequired.at(to.input))
	}
	if rule, ok := strings.CutPrefix(words, "failed rule: "); ok {
		return to.within(fail.Fault{Field: to.input, Text: faultRuleBare.text(str("rule", rule))})
	}
	return to.within(faultRule.said(to.input, words))
}

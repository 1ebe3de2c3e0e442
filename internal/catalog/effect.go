package catalog

import (
	"slices"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Effects say which variable of a class changes what.
type Effects struct {
	uses     map[string][]Use
	external []External
	// opaque are patches whose templates read variables in a way that only
	// running them would tell.
	opaque []Use
}

// Use is one way in which a patch reads a variable.
type Use struct {
	Patch string
	How   UseHow
	// Path is the part of the variable that is read, for example "net.cidr"; the
	// variable's name alone for all of it; empty for opaque uses.
	Path string
	// At is the path in the template that is written, for example
	// "/spec/template/spec/image"; empty for UseEnabledIf.
	At      string
	Op      string // add, replace or remove; empty for UseEnabledIf
	Targets []Target
}

// UseHow says where in a patch a variable stands.
type UseHow string

// The ways.
const (
	UseValue     UseHow = "variable"  // valueFrom.variable
	UseTemplate  UseHow = "template"  // valueFrom.template
	UseEnabledIf UseHow = "enabledIf" // decides whether the patch is applied
)

// External is a patch by a runtime extension: it may read anything.
type External struct {
	Patch               string
	Generates           string // the extension that writes patches; may be empty
	Validates           string // the extension that checks the topology; may be empty
	DiscoversVariables  string // the extension that defines variables; may be empty
	DiscoveredVariables []string
}

// Answer is what can be known without running anything.
type Answer string

// The answers.
const (
	Yes        Answer = "yes"
	No         Answer = "no"
	CannotTell Answer = "cannot-tell"
)

// NewEffects reads the patches of a class.
func NewEffects(cc *clusterv1.ClusterClass) *Effects {
	e := &Effects{uses: make(map[string][]Use)}
	parts := templatesOf(cc)
	for i := range cc.Spec.Patches {
		p := &cc.Spec.Patches[i]
		if p.External != nil {
			e.external = append(e.external, External{
				Patch: p.Name, Generates: p.External.GeneratePatchesExtension,
				Validates:           p.External.ValidateTopologyExtension,
				DiscoversVariables:  p.External.DiscoverVariablesExtension,
				DiscoveredVariables: discovered(cc, p.Name),
			})
			continue
		}
		e.readPatch(p, parts)
	}
	return e
}

func discovered(cc *clusterv1.ClusterClass, patch string) []string {
	var names []string
	for _, v := range cc.Status.Variables {
		if slices.ContainsFunc(v.Definitions, func(d clusterv1.ClusterClassStatusVariableDefinition) bool { return d.From == patch }) {
			names = append(names, v.Name)
		}
	}
	return names
}

func (e *Effects) readPatch(p *clusterv1.ClusterClassPatch, parts []Target) {
	var all []Target
	for i := range p.Definitions {
		d := &p.Definitions[i]
		targets := matching(d.Selector, parts)
		all = union(all, targets)
		for _, j := range d.JSONPatches {
			if j.ValueFrom == nil {
				continue
			}
			use := Use{Patch: p.Name, At: j.Path, Op: j.Op, Targets: targets}
			if j.ValueFrom.Variable != "" {
				use.How, use.Path = UseValue, j.ValueFrom.Variable
				e.add(use)
			}
			use.How = UseTemplate
			e.addTemplate(use, j.ValueFrom.Template)
		}
	}
	e.addTemplate(Use{Patch: p.Name, How: UseEnabledIf, Targets: all}, p.EnabledIf)
}

func (e *Effects) addTemplate(use Use, source string) {
	refs := templateRefs(source)
	for _, path := range refs.paths {
		use.Path = path
		e.add(use)
	}
	if refs.opaque {
		use.Path = ""
		e.opaque = append(e.opaque, use)
	}
}

func (e *Effects) add(use Use) {
	name := variableIn(use.Path)
	if name == "builtin" {
		return
	}
	for _, u := range e.uses[name] {
		if u.Patch == use.Patch && u.How == use.How && u.Path == use.Path && u.At == use.At && u.Op == use.Op && slices.Equal(u.Targets, use.Targets) {
			return
		}
	}
	e.uses[name] = append(e.uses[name], use)
}

func union(a, b []Target) []Target {
	for _, t := range b {
		if !slices.Contains(a, t) {
			a = append(a, t)
		}
	}
	return a
}

// Uses lists where a variable is read, in the order of the patches.
func (e *Effects) Uses(variable string) []Use { return e.uses[variable] }

// External lists the patches by runtime extensions.
func (e *Effects) External() []External { return e.external }

// Targets lists the templates that a variable changes for sure.
func (e *Effects) Targets(variable string) []Target {
	var out []Target
	for _, u := range e.uses[variable] {
		out = union(out, u.Targets)
	}
	return out
}

// Affects tells whether a variable changes anything that is wanted.
func (e *Effects) Affects(variable string, wanted func(Target) bool) Answer {
	if slices.ContainsFunc(e.Targets(variable), wanted) {
		return Yes
	}
	for _, x := range e.external {
		if x.Generates != "" {
			return CannotTell
		}
	}
	for _, u := range e.opaque {
		if slices.ContainsFunc(u.Targets, wanted) {
			return CannotTell
		}
	}
	return No
}

// AffectsPool tells whether a variable changes the machines of a worker class.
func (e *Effects) AffectsPool(variable, class string, kind WorkerKind) Answer {
	return e.Affects(variable, func(t Target) bool { return t.Class == class && t.Worker == kind })
}

// AffectsControlPlane tells whether a variable changes the control plane.
func (e *Effects) AffectsControlPlane(variable string) Answer {
	return e.Affects(variable, func(t Target) bool {
		return t.Role == RoleControlPlane || t.Role == RoleControlPlaneMachine
	})
}

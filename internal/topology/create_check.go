package topology

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/version"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// CreateLimits is what the check of a form needs to know besides the class.
type CreateLimits struct {
	Namespaces []string // where the person may create clusters
	Taken      []string // names of clusters in the form's namespace that they may see
	Max        int      // machines in one pool
	// Creating: the cluster shall be created now, so that what was typed and
	// doesn't count has to be said first.
	Creating bool
}

// planner turns a form into a plan and collects what is wrong on the way.
type planner struct {
	form   *CreateForm
	class  catalog.Blueprint
	limits CreateLimits
	plan   Plan
	faults []fail.Fault
}

// Plan reads the settings of the form. The faults stand at the inputs; with
// faults the plan is fit for a preview only.
func (f *CreateForm) Plan(b catalog.Blueprint, limits CreateLimits) (Plan, []fail.Fault) {
	p := planner{form: f, class: b, limits: limits}
	p.plan = Plan{
		Ref: Ref{f.Namespace, f.Name}, Form: f.ID, Class: Ref{b.Namespace, b.Name}, Version: f.Version,
		Pods: cidrs(f.Pods), Services: cidrs(f.Services), Kept: f.Kept,
	}
	p.name()
	p.version()
	p.controlPlane()
	p.network(InputPods, p.plan.Pods)
	p.network(InputServices, p.plan.Services)
	p.plan.Labels = p.pairs(InputLabels, f.Labels, true)
	p.plan.Annotations = p.pairs(InputAnnotations, f.Annotations, false)
	if at := f.Kept.into(&clusterv1.Cluster{}); at != "" {
		p.fault("", "create.fault.kept", message.Str("field", at))
	}
	if f.surplus > 0 {
		p.fault("", "create.fault.pools", message.Num("max", MaxPools))
	}
	p.plan.Variables, _ = f.Variables.Variables()
	p.plan.Overrides, _ = f.Overrides.Variables()
	for i := range f.Pools {
		p.pool(f.Pools[i], f.Pools[:i])
	}
	return p.plan, p.faults
}

func (p *planner) fault(input string, key message.Key, args ...message.Arg) {
	p.faults = append(p.faults, fail.Fault{Field: input, Text: message.New(key, args...)})
}

// maxName is the longest value of a label. The name of a cluster or pool becomes one.
const maxName = 63

func (p *planner) name() {
	f := p.form
	switch {
	case f.Namespace == "":
		p.fault(InputNamespace, "create.fault.namespace")
	case !slices.Contains(p.limits.Namespaces, f.Namespace):
		p.fault(InputNamespace, "create.fault.namespace-not", message.Str("namespace", shorten(f.Namespace)))
	}
	switch {
	case f.Name == "":
		p.fault(InputName, "create.fault.name-empty")
	case !goodName(f.Name):
		p.fault(InputName, "create.fault.name")
	case slices.Contains(p.limits.Taken, f.Name):
		p.fault(InputName, "create.fault.taken", message.Str("namespace", f.Namespace))
	}
}

func goodName(name string) bool {
	return len(name) <= maxName && len(validation.IsDNS1123Label(name)) == 0
}

func (p *planner) version() {
	v, known := p.form.Version, p.class.Versions
	switch {
	case v == "":
		p.fault(InputVersion, "create.fault.version-empty")
	case !strings.HasPrefix(v, "v") || !semantic(v):
		p.fault(InputVersion, "create.fault.version")
	case len(known) > 0 && !slices.Contains(known, v):
		p.fault(InputVersion, "create.fault.version-unknown", message.Str("versions", strings.Join(known, ", ")))
	}
}

func semantic(v string) bool {
	_, err := version.ParseSemantic(v)
	return err == nil
}

func (p *planner) controlPlane() {
	text := p.form.ControlPlane
	if text == "" {
		if p.class.ControlPlane == kubeadmControlPlane {
			p.fault(InputCP, "replicas.empty")
		}
		return // other control planes may have no number
	}
	n, bad := ParseReplicas(text, PoolControlPlane, p.class.ControlPlane, p.limits.Max)
	if bad != nil {
		p.faults = append(p.faults, fail.Fault{Field: InputCP, Text: bad.Text})
		return
	}
	p.plan.ControlPlane = &n
}

func cidrs(text string) []string {
	blocks := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' || r == '\r' })
	if len(blocks) == 0 {
		return nil // an empty list would be sent
	}
	return blocks
}

func (p *planner) network(input string, blocks []string) {
	for _, block := range blocks {
		if _, err := netip.ParsePrefix(block); err != nil {
			p.fault(input, "create.fault.cidr", message.Str("typed", shorten(block)))
		}
	}
}

func (p *planner) pairs(input, text string, labels bool) map[string]string {
	var out map[string]string
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if ok && labels && len(value) > maxName {
			p.fault(input, "create.fault.label-long", message.Str("key", shorten(key)), message.Num("max", maxName))
			continue
		}
		bad := !ok || len(validation.IsQualifiedName(key)) > 0 || labels && len(validation.IsValidLabelValue(value)) > 0
		if bad {
			p.fault(input, "create.fault.pair", message.Str("line", shorten(line)))
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		if _, twice := out[key]; twice {
			p.fault(input, "create.fault.pair-twice", message.Str("key", shorten(key)))
		}
		out[key] = value
	}
	return out
}

func (p *planner) pool(f CreatePool, before []CreatePool) {
	kind, class := f.Worker()
	planned := PlannedPool{Kind: kind, Class: class, Name: f.Name, FailureDomain: f.FailureDomain}
	planned.Overrides, _ = f.Overrides.Variables()
	planned.Labels, planned.Annotations = p.pairs(f.Input("labels"), f.Labels, true), p.pairs(f.Input("annotations"), f.Annotations, false)
	planned.Kept = f.Kept
	if at := f.misfit(); at != "" {
		p.fault(f.Input("class"), "create.fault.kept", message.Str("field", at))
	}
	switch {
	case class == "":
		p.fault(f.Input("class"), "create.fault.class-empty")
	case p.class.Composition.Worker(class, kind) == nil:
		p.fault(f.Input("class"), "create.fault.class", message.Str("class", class))
	}
	same := slices.ContainsFunc(before, func(o CreatePool) bool { return o.Name == f.Name })
	switch {
	case f.Name == "":
		p.fault(f.Input("name"), "create.fault.pool-empty")
	case !goodName(f.Name):
		p.fault(f.Input("name"), "create.fault.name")
	case same:
		p.fault(f.Input("name"), "create.fault.pool-twice", message.Str("name", f.Name))
	}
	p.size(f, &planned)
	p.ownRange(f, planned)
	p.plan.Pools = append(p.plan.Pools, planned)
}

// size reads the number of machines or the range. A number beside a range is
// never sent, also not beside the class's: Cluster API's webhook looks at
// MachineDeployments only.
func (p *planner) size(f CreatePool, planned *PlannedPool) {
	low, high, inherits := f.Inherited(p.class)
	switch {
	case f.Mode == PlanRange:
		planned.Min, planned.Max = p.count(f, "min", f.Min), p.count(f, "max", f.Max)
		if planned.Min != nil && planned.Max != nil && *planned.Min > *planned.Max {
			p.fault(f.Input("max"), "create.fault.range", message.Str("min", strconv.Itoa(*planned.Min)))
		}
	case inherits && f.Mode == PlanFixed && f.Replicas != "" && p.limits.Creating:
		p.fault(f.Input("class"), "create.fault.inherits", message.Num("min", low), message.Num("max", high))
	case inherits:
	default:
		planned.Replicas = p.count(f, "replicas", f.Replicas)
	}
}

// ownRange: the autoscaler's annotations have inputs of their own. Beside a number
// Cluster API refuses them, beside that range they would be lost.
func (p *planner) ownRange(f CreatePool, planned PlannedPool) {
	if planned.Replicas == nil && f.Mode != PlanRange {
		return
	}
	for _, key := range []string{clusterv1.AutoscalerMinSizeAnnotation, clusterv1.AutoscalerMaxSizeAnnotation} {
		if _, ok := planned.Annotations[key]; ok {
			p.fault(f.Input("annotations"), "create.fault.autoscaler", message.Str("key", key))
		}
	}
}

func (p *planner) count(f CreatePool, input, text string) *int {
	kind := PoolMachineDeployment
	if k, _ := f.Worker(); k == catalog.WorkerPool {
		kind = PoolMachinePool
	}
	n, bad := ParseReplicas(text, kind, "", p.limits.Max)
	if bad != nil {
		p.faults = append(p.faults, fail.Fault{Field: f.Input(input), Text: bad.Text})
		return nil
	}
	return &n
}

// misfit is the first kept part that a pool of this kind doesn't have.
func (p CreatePool) misfit() string {
	if kind, _ := p.Worker(); kind == catalog.WorkerPool {
		return p.Kept.into(&clusterv1.MachinePoolTopology{})
	}
	return p.Kept.into(&clusterv1.MachineDeploymentTopology{})
}

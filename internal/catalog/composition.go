package catalog

import (
	"slices"
	"time"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Composition is what a class builds clusters from.
type Composition struct {
	Infrastructure Part
	ControlPlane   Part
	Workers        []WorkerClass // machine deployments first
	// Versions is the path of upgrades, oldest first; empty means that the class
	// leaves it open. UpgradePlan names the extension that plans them instead.
	Versions          []string
	UpgradePlan       string
	AvailabilityGates []string // condition types that must hold besides
}

// WorkerClass is what pools can be made of.
type WorkerClass struct {
	Part
	Class          string
	Kind           WorkerKind
	FailureDomains []string // at most one for machine deployments
	Rollout        Rollout  // of machine deployments
}

// Part is one part of a composition with the class's defaults for it.
type Part struct {
	Templates      []Target
	Labels         map[string]string
	Annotations    map[string]string
	Naming         string // Go template of the names; empty for the default
	HealthCheck    *HealthCheck
	Deletion       Deletion
	Taints         []string      // "key=value:effect"
	ReadinessGates []string      // condition types
	MinReady       time.Duration // 0 when the class says nothing
}

// Rollout is how machines are replaced; empty texts mean the default.
type Rollout struct{ Type, MaxUnavailable, MaxSurge string }

// Deletion is how machines go; nil means the default.
type Deletion struct {
	Order                           string // Random, Newest, Oldest; empty for the default
	Drain, VolumeDetach, NodeDelete *time.Duration
}

// NewComposition reads the building plan of a class.
func NewComposition(cc *clusterv1.ClusterClass) Composition {
	c := Composition{
		Versions:    slices.Clone(cc.Spec.KubernetesVersions),
		UpgradePlan: cc.Spec.Upgrade.External.GenerateUpgradePlanExtension,
		Infrastructure: Part{
			Naming: cc.Spec.Infrastructure.Naming.Template,
		},
		ControlPlane: controlPlanePart(&cc.Spec.ControlPlane),
	}
	for _, g := range cc.Spec.AvailabilityGates {
		c.AvailabilityGates = append(c.AvailabilityGates, g.ConditionType)
	}
	for i := range cc.Spec.Workers.MachineDeployments {
		c.Workers = append(c.Workers, deploymentClass(&cc.Spec.Workers.MachineDeployments[i]))
	}
	for i := range cc.Spec.Workers.MachinePools {
		c.Workers = append(c.Workers, poolClass(&cc.Spec.Workers.MachinePools[i]))
	}
	c.placeTemplates(templatesOf(cc))
	return c
}

func (c *Composition) placeTemplates(all []Target) {
	for _, t := range all {
		switch t.Role {
		case RoleInfrastructure:
			c.Infrastructure.Templates = append(c.Infrastructure.Templates, t)
		case RoleControlPlane, RoleControlPlaneMachine:
			c.ControlPlane.Templates = append(c.ControlPlane.Templates, t)
		default:
			for i := range c.Workers {
				if w := &c.Workers[i]; w.Class == t.Class && w.Kind == t.Worker {
					w.Templates = append(w.Templates, t)
				}
			}
		}
	}
}

// Templates are all that the class refers to, in the order of its parts.
func (c *Composition) Templates() []Target {
	all := slices.Concat(c.Infrastructure.Templates, c.ControlPlane.Templates)
	for _, w := range c.Workers {
		all = append(all, w.Templates...)
	}
	return all
}

// Template finds a template by its kind and name, wherever the class refers to
// it; ok is false when it doesn't.
func (c *Composition) Template(kind, name string) (t Target, ok bool) {
	all := c.Templates()
	i := slices.IndexFunc(all, func(t Target) bool { return t.Kind == kind && t.Name == name })
	if i < 0 {
		return Target{}, false
	}
	return all[i], true
}

// Worker finds a worker class; nil when there is none.
func (c *Composition) Worker(class string, kind WorkerKind) *WorkerClass {
	for i := range c.Workers {
		if c.Workers[i].Class == class && c.Workers[i].Kind == kind {
			return &c.Workers[i]
		}
	}
	return nil
}

func controlPlanePart(s *clusterv1.ControlPlaneClass) Part {
	p := Part{
		Labels: s.Metadata.Labels, Annotations: s.Metadata.Annotations, Naming: s.Naming.Template,
		Deletion: deletionOf("", s.Deletion.NodeDrainTimeoutSeconds,
			s.Deletion.NodeVolumeDetachTimeoutSeconds, s.Deletion.NodeDeletionTimeoutSeconds),
		Taints: taintsOf(s.Taints), ReadinessGates: gatesOf(s.ReadinessGates),
	}
	if s.HealthCheck.IsDefined() {
		p.HealthCheck = controlPlaneHealthCheck(&s.HealthCheck)
	}
	return p
}

func deploymentClass(s *clusterv1.MachineDeploymentClass) WorkerClass {
	w := WorkerClass{Class: s.Class, Kind: WorkerDeployment, Part: Part{
		Labels: s.Metadata.Labels, Annotations: s.Metadata.Annotations, Naming: s.Naming.Template,
		Deletion: deletionOf(string(s.Deletion.Order), s.Deletion.NodeDrainTimeoutSeconds,
			s.Deletion.NodeVolumeDetachTimeoutSeconds, s.Deletion.NodeDeletionTimeoutSeconds),
		Taints: taintsOf(s.Taints), ReadinessGates: gatesOf(s.ReadinessGates),
		MinReady: orZero(seconds(s.MinReadySeconds)),
	}}
	if s.FailureDomain != "" {
		w.FailureDomains = []string{s.FailureDomain}
	}
	if s.HealthCheck.IsDefined() {
		w.HealthCheck = deploymentHealthCheck(&s.HealthCheck)
	}
	strategy := s.Rollout.Strategy
	w.Rollout = Rollout{
		Type:           string(strategy.Type),
		MaxUnavailable: intstrText(strategy.RollingUpdate.MaxUnavailable),
		MaxSurge:       intstrText(strategy.RollingUpdate.MaxSurge),
	}
	return w
}

func poolClass(s *clusterv1.MachinePoolClass) WorkerClass {
	return WorkerClass{
		Class: s.Class, Kind: WorkerPool, FailureDomains: slices.Clone(s.FailureDomains),
		Part: Part{
			Labels: s.Metadata.Labels, Annotations: s.Metadata.Annotations, Naming: s.Naming.Template,
			Deletion: deletionOf("", s.Deletion.NodeDrainTimeoutSeconds,
				s.Deletion.NodeVolumeDetachTimeoutSeconds, s.Deletion.NodeDeletionTimeoutSeconds),
			Taints: taintsOf(s.Taints), MinReady: orZero(seconds(s.MinReadySeconds)),
		},
	}
}

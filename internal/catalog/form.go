package catalog

import (
	"strconv"
	"strings"
)

// Form is the variables of a whole cluster: its own and all overrides.
type Form struct {
	Cluster            State
	ControlPlane       State // overrides; the zero State where there are none
	MachineDeployments []PoolState
	MachinePools       []PoolState
}

// PoolState is the overrides of one pool, under the pool's name as it is now.
type PoolState struct {
	Name  string
	State State
}

// Scope says which part of a topology a field belongs to.
type Scope string

// The scopes.
const (
	ScopeCluster           Scope = "cluster"
	ScopeControlPlane      Scope = "controlPlane"
	ScopeMachineDeployment Scope = "machineDeployments"
	ScopeMachinePool       Scope = "machinePools"
)

// Location is where a field path of the API stands in the form.
type Location struct {
	Scope Scope
	Pool  int    // index of the pool; -1 for the cluster and the control plane
	Input string // name of the variable's input; empty where it is no variable
	// Field is the path below the scope, for example "replicas" or "class", and
	// for variables the whole path below "variables".
	Field string

	state *State
	place place
}

// Locate finds what a field path like
// "spec.topology.workers.machineDeployments[md-0].variables.overrides[net].value.mtu"
// is about. Webhooks name pools by name and by index.
func (f *Form) Locate(path string) Location {
	rest, ok := strings.CutPrefix(path, "spec.topology.")
	if !ok {
		return Location{Scope: ScopeCluster, Pool: -1, Field: path}
	}
	if below, ok := cutScope(rest, "controlPlane"); ok {
		return locateIn(Location{Scope: ScopeControlPlane, Pool: -1, state: &f.ControlPlane}, below, "variables.overrides")
	}
	if below, ok := cutScope(rest, "workers.machineDeployments"); ok {
		return locatePool(ScopeMachineDeployment, f.MachineDeployments, below)
	}
	if below, ok := cutScope(rest, "workers.machinePools"); ok {
		return locatePool(ScopeMachinePool, f.MachinePools, below)
	}
	return locateIn(Location{Scope: ScopeCluster, Pool: -1, state: &f.Cluster}, rest, "variables")
}

func cutScope(path, scope string) (string, bool) {
	below, ok := strings.CutPrefix(path, scope)
	if !ok || below != "" && below[0] != '.' && below[0] != '[' {
		return "", false
	}
	return strings.TrimPrefix(below, "."), true
}

func locatePool(scope Scope, pools []PoolState, path string) Location {
	for i := range pools {
		for _, key := range []string{pools[i].Name, strconv.Itoa(i)} {
			if below, ok := strings.CutPrefix(path, "["+key+"]"); ok {
				at := Location{Scope: scope, Pool: i, state: &pools[i].State}
				return locateIn(at, strings.TrimPrefix(below, "."), "variables.overrides")
			}
		}
	}
	return Location{Scope: scope, Pool: -1, Field: path}
}

// locateIn looks for a variable below list ("variables" or "variables.overrides").
func locateIn(at Location, path, list string) Location {
	at.Field = path
	below, ok := cutScope(path, list)
	if !ok {
		return at
	}
	at.Field = below
	for _, n := range at.state.Nodes {
		if after, ok := strings.CutPrefix(below, "["+n.Field.Name+"]"); ok {
			return at.variable(n, after)
		}
	}
	for i, n := range at.state.sent() {
		if after, ok := strings.CutPrefix(below, "["+strconv.Itoa(i)+"]"); ok {
			return at.variable(n, after)
		}
	}
	return at
}

func (l Location) variable(n *Node, after string) Location {
	after = strings.TrimPrefix(strings.TrimPrefix(after, ".value"), ".")
	l.place = locate(n, after)
	l.Input = l.place.input
	return l
}

// sent lists the nodes in the order in which they are sent.
func (s State) sent() []*Node {
	var out []*Node
	for _, n := range s.ordered() {
		if n.Set {
			out = append(out, n)
		}
	}
	return out
}

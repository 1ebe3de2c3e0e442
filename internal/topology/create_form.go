package topology

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
)

// CreateForm is the form of a new cluster as it stands, word for word. It lives
// in its own inputs: ParseCreateForm reads back what a page was made of.
type CreateForm struct {
	ID         string // random, made with the empty form
	Generation int64  // of the class that the person saw
	From       string // namespace/name of the cluster it was cloned from, or FromManifest; may be empty
	Kept       Kept   // what no input shows

	Namespace, Name, Version, ControlPlane string
	Pods, Services                         string // CIDRs, separated by commas or spaces
	Labels, Annotations                    string // "key=value", one a line
	Pools                                  []CreatePool
	Variables                              catalog.State
	Overrides                              catalog.State // of the control plane
	ShowAll                                bool          // also overrides that change nothing there
	Older                                  bool          // filled in from a manifest of v1beta1

	surplus int // pools that were submitted beyond MaxPools
}

// CreatePool is one pool of the form.
type CreatePool struct {
	ID            int    // stays while others come and go
	Class         string // kind/name of the worker class, see WorkerValue
	Name          string
	Mode          PoolPlan
	Replicas      string
	Min, Max      string
	FailureDomain string
	Labels        string // "key=value", one a line
	Annotations   string
	Overrides     catalog.State
	ShowAll       bool // also overrides that change nothing in this pool
	Kept          Kept // what no input shows
}

// PoolPlan says how the number of machines of a new pool is set.
type PoolPlan string

// The ways.
const (
	PlanFixed   PoolPlan = "fixed"
	PlanRange   PoolPlan = "range" // a range for the autoscaler, on the pool
	PlanInherit PoolPlan = "class" // the range that the class has
)

// Names of the form's inputs; those of variables are the catalog's, with the
// prefixes below.
const (
	InputForm        = "form"
	InputGeneration  = "generation"
	InputFrom        = "from"
	InputNamespace   = "namespace"
	InputName        = "name"
	InputVersion     = "version"
	InputCP          = "cp"
	InputPods        = "pods"
	InputServices    = "services"
	InputLabels      = "labels"
	InputAnnotations = "annotations"
	InputPool        = "pool"         // hidden, one for each pool: its ID
	InputKept        = "kept"         // hidden: Kept.Text
	InputOverridesCP = "cp.overrides" // no input: where the overrides of the control plane stand
	InputAll         = "cp.all"       // hidden: ShowAll of the control plane
	InputOlder       = "older"        // hidden: Older

	prefixVariables    = "v"
	prefixControlPlane = "c"
)

// Input is the name of one of the pool's inputs: name, class, mode, replicas,
// min, max, fd, labels, annotations, and the hidden ones kept and all.
func (p CreatePool) Input(field string) string { return poolInput(p.ID, field) }

func poolInput(id int, field string) string { return "pool" + strconv.Itoa(id) + "." + field }

func poolPrefix(id int) string { return "p" + strconv.Itoa(id) }

// WorkerValue is how the form writes a worker class.
func WorkerValue(kind catalog.WorkerKind, class string) string { return string(kind) + "/" + class }

// Worker takes Class apart.
func (p CreatePool) Worker() (catalog.WorkerKind, string) {
	kind, class, _ := strings.Cut(p.Class, "/")
	return catalog.WorkerKind(kind), class
}

// NewCreateForm is the form that nobody has filled in: the newest version, three
// control plane machines, and one pool of the first worker class.
func NewCreateForm(b catalog.Blueprint, id, namespace string) CreateForm {
	f := CreateForm{
		ID: id, Generation: b.Generation, Namespace: namespace, ControlPlane: "3",
		Variables: catalog.NewState(b.Schema, prefixVariables), Overrides: catalog.NewState(b.Schema, prefixControlPlane),
	}
	if n := len(b.Versions); n > 0 {
		f.Version = b.Versions[n-1]
	}
	if len(b.Composition.Workers) > 0 {
		f.addPool(b)
	}
	return f
}

// addPool appends a pool of the first worker class under a name that is free.
func (f *CreateForm) addPool(b catalog.Blueprint) CreatePool {
	p := CreatePool{ID: f.freeID(), Mode: PlanFixed, Replicas: "1"}
	p.Name = "md-" + strconv.Itoa(p.ID)
	p.Overrides = catalog.NewState(b.Schema, poolPrefix(p.ID))
	if workers := b.Composition.Workers; len(workers) > 0 {
		p.Class = WorkerValue(workers[0].Kind, workers[0].Class)
		if classRange(b, p).complete() {
			p.Mode = PlanInherit
		}
	}
	f.Pools = append(f.Pools, p)
	return p
}

func (f *CreateForm) freeID() int {
	id := 0
	for _, p := range f.Pools {
		id = max(id, p.ID+1)
	}
	return id
}

// classRange is the autoscaler's range that the pool's class brings.
func classRange(b catalog.Blueprint, p CreatePool) span {
	kind, class := p.Worker()
	w := b.Composition.Worker(class, kind)
	if w == nil {
		return span{}
	}
	return rangeOf(w.Annotations)
}

// Inherited is the range that the class of a pool brings; ok is false when it
// brings none.
func (p CreatePool) Inherited(b catalog.Blueprint) (low, high int, ok bool) {
	s := classRange(b, p)
	if !s.complete() {
		return 0, 0, false
	}
	return *s.min, *s.max, true
}

// ParseCreateForm reads the form out of submitted values. What the class has no
// place for is put aside, not lost.
func ParseCreateForm(b catalog.Blueprint, values url.Values) CreateForm {
	f := CreateForm{
		ID: values.Get(InputForm), From: values.Get(InputFrom), Namespace: values.Get(InputNamespace),
		Name: strings.TrimSpace(values.Get(InputName)), Version: strings.TrimSpace(values.Get(InputVersion)),
		ControlPlane: strings.TrimSpace(values.Get(InputCP)), Pods: values.Get(InputPods), Services: values.Get(InputServices),
		Labels: lines(values.Get(InputLabels)), Annotations: lines(values.Get(InputAnnotations)),
		Variables: catalog.Parse(b.Schema, prefixVariables, values), Overrides: catalog.Parse(b.Schema, prefixControlPlane, values),
	}
	f.Kept, f.ShowAll, f.Older = parseKept(values.Get(InputKept)), values.Get(InputAll) != "", values.Get(InputOlder) != ""
	f.Generation, _ = strconv.ParseInt(values.Get(InputGeneration), 10, 64)
	for _, text := range values[InputPool] {
		id, err := strconv.Atoi(text)
		known := slices.ContainsFunc(f.Pools, func(p CreatePool) bool { return p.ID == id })
		if err != nil || id < 0 || known {
			continue
		}
		if len(f.Pools) == MaxPools {
			f.surplus++
			continue
		}
		get := func(field string) string { return strings.TrimSpace(values.Get(poolInput(id, field))) }
		f.Pools = append(f.Pools, CreatePool{
			ID: id, Class: get("class"), Name: get("name"), Mode: PoolPlan(get("mode")), Replicas: get("replicas"),
			Min: get("min"), Max: get("max"), FailureDomain: get("fd"),
			Labels: lines(get("labels")), Annotations: lines(get("annotations")),
			Overrides: catalog.Parse(b.Schema, poolPrefix(id), values), ShowAll: get("all") != "", Kept: parseKept(get("kept")),
		})
	}
	return f
}

// MaxPools is how many pools the form has room for. Cluster API allows 2000 of
// each kind; with as many a page would be tens of megabytes.
const MaxPools = 100

// lines turns a browser's line ends into line feeds.
func lines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// forms are the variables of all scopes, as the catalog checks and explains
// them, and the pools in the order of the object.
func (f *CreateForm) forms() (catalog.Form, []CreatePool) {
	form := catalog.Form{Cluster: f.Variables, ControlPlane: f.Overrides}
	var deployments, pools []CreatePool
	for _, p := range f.Pools {
		state := catalog.PoolState{Name: p.Name, State: p.Overrides}
		if kind, _ := p.Worker(); kind == catalog.WorkerPool {
			form.MachinePools = append(form.MachinePools, state)
			pools = append(pools, p)
			continue
		}
		form.MachineDeployments = append(form.MachineDeployments, state)
		deployments = append(deployments, p)
	}
	return form, append(deployments, pools...)
}

package topology

import (
	"slices"
	"strconv"
	"strings"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

// What the form's own buttons submit, besides the catalog's actions.
const (
	DoAddPool    = "add-pool"
	DoRemovePool = "remove-pool " // and the pool's ID
	DoShowAll    = "show-all "    // and the pool's ID, or "cp": also overrides that change nothing there
	DoForget     = "forget "      // and the pool's ID, or "cluster", a space, and the pointer of a kept part
)

// Do carries out a button of the form. focus is the input that gets the focus.
// A fault leaves the form as it was; an unknown button is an error.
func (f CreateForm) Do(b catalog.Blueprint, button string) (next CreateForm, focus string, fault *fail.Fault, err error) {
	next = f
	next.Pools = slices.Clone(f.Pools)
	if button == DoAddPool && len(f.Pools) >= MaxPools {
		return f, DoAddPool, &fail.Fault{Text: message.New("create.fault.pools", message.Num("max", MaxPools))}, nil
	}
	if button == DoAddPool {
		p := next.addPool(b)
		return next, p.Input("name"), nil, nil
	}
	if digits, ok := strings.CutPrefix(button, DoRemovePool); ok {
		next.Pools = slices.DeleteFunc(next.Pools, func(p CreatePool) bool { return strconv.Itoa(p.ID) == digits })
		return next, DoAddPool, nil, nil
	}
	if focus, ok := next.special(button); ok {
		return next, focus, nil, nil
	}
	action, err := catalog.ParseAction(button)
	if err != nil {
		return f, "", nil, err
	}
	state, override := next.scope(action)
	if state == nil {
		return f, "", nil, catalog.ErrAction
	}
	changed, focus, fault, err := state.Do(action)
	if err != nil || fault != nil {
		return f, focus, fault, err
	}
	if node := state.Node(action.Name); override && action.Verb == catalog.VerbSet && node != nil && !strings.Contains(strings.TrimPrefix(node.Name, state.Prefix+"."), ".") {
		changed = state.Override(node.Field.Name, f.Variables)
	}
	*state = changed
	return next, focus, nil, nil
}

// special carries out the buttons about overrides that are hidden and about what
// is kept.
func (f *CreateForm) special(button string) (focus string, ok bool) {
	if of, ok := strings.CutPrefix(button, DoShowAll); ok {
		if p := f.pool(of); p != nil {
			p.ShowAll = true
			return p.Input("overrides"), true
		}
		f.ShowAll = f.ShowAll || of == ControlPlanePart
		return InputOverridesCP, of == ControlPlanePart
	}
	rest, ok := strings.CutPrefix(button, DoForget)
	if !ok {
		return "", false
	}
	of, pointer, _ := strings.Cut(rest, " ")
	if p := f.pool(of); p != nil {
		p.Kept = p.Kept.forget(pointer)
		return "h-kept", true
	}
	if of == ClusterPart {
		f.Kept = f.Kept.forget(pointer)
	}
	return "h-kept", of == ClusterPart
}

// What stands for a pool's ID in buttons about the rest of the form.
const (
	ClusterPart      = "cluster"
	ControlPlanePart = "cp"
)

func (f *CreateForm) pool(id string) *CreatePool {
	i := slices.IndexFunc(f.Pools, func(p CreatePool) bool { return strconv.Itoa(p.ID) == id })
	if i < 0 {
		return nil
	}
	return &f.Pools[i]
}

// scope is the state that an action is about, and whether it overrides.
func (f *CreateForm) scope(a catalog.Action) (state *catalog.State, override bool) {
	if f.Variables.Mine(a) {
		return &f.Variables, false
	}
	if f.Overrides.Mine(a) {
		return &f.Overrides, true
	}
	for i := range f.Pools {
		if f.Pools[i].Overrides.Mine(a) {
			return &f.Pools[i].Overrides, true
		}
	}
	return nil, false
}

// Rebase carries the form over to another class: what fits stays, the rest is
// put aside. Pools whose worker class doesn't exist there keep their text, for
// the check to find.
func (f CreateForm) Rebase(b catalog.Blueprint) CreateForm {
	f.Generation = b.Generation
	f.Variables, f.Overrides = f.Variables.Rebase(b.Schema), f.Overrides.Rebase(b.Schema)
	f.Pools = slices.Clone(f.Pools)
	for i := range f.Pools {
		f.Pools[i].Overrides = f.Pools[i].Overrides.Rebase(b.Schema)
	}
	return f
}

package auth

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Sight is what a person may see of one kind: a predicate that asks nobody.
// The zero Sight sees nothing.
type Sight struct {
	everywhere bool
	namespaces map[string]grant
}

// Sees tells whether the object may be seen.
func (s Sight) Sees(namespace, name string) bool {
	if s.everywhere {
		return true
	}
	g := s.namespaces[namespace]
	return g.all || g.names[name]
}

// Some tells whether anything in the namespace may be seen.
func (s Sight) Some(namespace string) bool {
	g := s.namespaces[namespace]
	return s.everywhere || g.all || len(g.names) > 0
}

// Visible gives the rows that a person may see: those in namespaces where they
// may do verb with the kind, and those that they may get by name. namespaces
// are those that hold such objects; no other is asked.
func (a *Access) Visible(ctx context.Context, u User, verb string, k Kind, namespaces []string) (Sight, error) {
	if len(namespaces) == 0 {
		return Sight{}, nil
	}
	d := a.of(u)
	everywhere, err := a.review(ctx, d, Question{Verb: verb, Kind: k})
	if err != nil || everywhere {
		return Sight{everywhere: everywhere}, err
	}
	grants := make([]grant, len(namespaces))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cap(a.slots))
	for i, ns := range namespaces {
		group.Go(func() (err error) {
			grants[i], err = a.rows(ctx, d, verb, k, ns)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return Sight{}, err
	}
	s := Sight{namespaces: make(map[string]grant, len(namespaces))}
	for i, ns := range namespaces {
		s.namespaces[ns] = grants[i]
	}
	return s, nil
}

// Where gives those of the namespaces in which a person may do verb with the
// whole kind, in their order. Unlike Visible it asks for nothing but verb:
// reading is no part of creating.
func (a *Access) Where(ctx context.Context, u User, verb string, k Kind, namespaces []string) ([]string, error) {
	if len(namespaces) == 0 {
		return nil, nil
	}
	d := a.of(u)
	everywhere, err := a.review(ctx, d, Question{Verb: verb, Kind: k})
	if err != nil {
		return nil, err
	}
	if everywhere {
		return namespaces, nil
	}
	may := make([]bool, len(namespaces))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cap(a.slots))
	for i, ns := range namespaces {
		group.Go(func() (err error) {
			may[i], err = a.whole(ctx, d, verb, k, ns)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var out []string
	for i, ns := range namespaces {
		if may[i] {
			out = append(out, ns)
		}
	}
	return out, nil
}

// whole tells whether verb is granted for all objects of one namespace.
func (a *Access) whole(ctx context.Context, d *decisions, verb string, k Kind, ns string) (bool, error) {
	rules, err := a.rules(ctx, d, ns)
	if err != nil || rules.complete {
		return err == nil && rules.grant(verb, k).all, err
	}
	return a.review(ctx, d, Question{Verb: verb, Namespace: ns, Kind: k})
}

// rows is which objects of one namespace are seen.
func (a *Access) rows(ctx context.Context, d *decisions, verb string, k Kind, ns string) (grant, error) {
	rules, err := a.rules(ctx, d, ns)
	if err != nil {
		return grant{}, err
	}
	many, one := rules.grant(verb, k), rules.grant("get", k)
	if rules.complete {
		return grant{all: many.all || one.all, names: one.names}, nil
	}
	return a.reviewRows(ctx, d, verb, k, ns, one.names)
}

// reviewRows asks review by review: the rules that could be listed only serve
// as candidates for names.
func (a *Access) reviewRows(ctx context.Context, d *decisions, verb string, k Kind, ns string, candidates map[string]bool) (grant, error) {
	for _, v := range []string{verb, "get"} {
		yes, err := a.review(ctx, d, Question{Verb: v, Namespace: ns, Kind: k})
		if err != nil || yes {
			return grant{all: yes}, err
		}
	}
	g := grant{names: map[string]bool{}}
	for name := range candidates {
		yes, err := a.review(ctx, d, Question{Verb: "get", Namespace: ns, Name: name, Kind: k})
		if err != nil {
			return grant{}, err
		}
		g.names[name] = yes
	}
	return g, nil
}

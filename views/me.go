package views

import (
	"sort"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/message"
)

// meView is who somebody is and what they may do where.
type meView struct {
	Page
	Name, Sent string // as shown; as the management cluster sees it
	Groups     []string
	Expires    when
	Heads      []string
	Rights     []rightsView
}

type rightsView struct {
	Namespace string
	May       []bool
	Yes, No   string
	Labels    []string
}

// Me is who somebody is and what they may do.
func Me(p Page, in MeInput) Screen {
	v := newMe(p, in)
	return Screen{Title: p.t("views.me.title"), Body: me(v), Regions: []Region{{ID: "me-rights", Body: meRights(v)}}}
}

func newMe(p Page, in MeInput) meView {
	v := meView{Page: p, Name: in.User.Display, Sent: in.User.Name, Expires: clock(in.Expires)}
	v.Groups = append(v.Groups, in.User.Groups...)
	sort.Strings(v.Groups)
	for _, key := range []message.Key{
		"views.me.list", "views.me.create", "views.me.scale", "views.me.delete", "views.me.machines", "views.me.events", "views.me.classes",
	} {
		v.Heads = append(v.Heads, p.t(key))
	}
	for _, r := range in.Rights {
		v.Rights = append(v.Rights, newRights(p, r, v.Heads))
	}
	return v
}

func newRights(p Page, r auth.NamespaceRights, labels []string) rightsView {
	v := rightsView{
		Namespace: r.Namespace, Yes: p.t("views.me.yes"), No: p.t("views.me.no"), Labels: labels,
		May: []bool{r.ListClusters, r.CreateClusters, r.ScaleClusters, r.DeleteClusters, r.ListMachines, r.ReadEvents, r.Classes},
	}
	if v.Namespace == "" {
		v.Namespace = p.t("views.me.everywhere")
	}
	return v
}

package views

import (
	"strconv"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// keptView says what the form was filled in with but has no inputs for, and what
// of the source stays behind.
type keptView struct {
	Rows  []keptRow
	Left  []leftRow
	Focus bool
}

type keptRow struct{ Path, YAML, Forget string }

type leftRow struct{ Path, Why string }

func newKept(p Page, in CreateInput) keptView {
	v := keptView{Focus: in.Focus == "h-kept"}
	v.add(p, in.Form.Kept, "", topology.ClusterPart)
	for _, pool := range in.Form.Pools {
		v.add(p, pool.Kept, p.t("create.kept.pool", message.Str("pool", poolTitle(p, pool)))+" ", strconv.Itoa(pool.ID))
	}
	return v
}

func (v *keptView) add(p Page, k topology.Kept, of, part string) {
	for _, row := range k.Rows() {
		v.Rows = append(v.Rows, keptRow{of + row.Path, catalog.YAMLOf(row.Value), topology.DoForget + part + " " + row.Pointer})
	}
	for _, left := range k.Left {
		v.Left = append(v.Left, leftRow{of + left.Readable(), leftWhy(p, left.Why)})
	}
}

func leftWhy(p Page, why topology.LeftWhy) string {
	switch why {
	case topology.LeftHistory:
		return p.t("create.left.history")
	case topology.LeftOwner:
		return p.t("create.left.owner")
	case topology.LeftState:
		return p.t("create.left.state")
	case topology.LeftBoth:
		return p.t("create.left.both")
	}
	return p.t("create.left.made")
}

// mark is the value of a hidden input that is there or not.
func mark(on bool) string {
	if on {
		return "1"
	}
	return ""
}

package views

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// noticesShown is how many notices stand on a page; more would be a flood.
const noticesShown = 3

// noticesView is how the person's own changes ended on other clusters.
type noticesView struct {
	Page
	List []noticeView
}

type noticeView struct {
	ID, Icon, Look string
	Text, Cluster  string
	URL            templ.SafeURL
}

// WithNotices puts notices above a live page: each once, until it is put away
// (told has their ids) or too old.
func WithNotices(p Page, s Screen, outcomes []topology.Outcome, told []string) Screen {
	v := noticesView{Page: p}
	for _, o := range outcomes {
		n := newNotice(p, o)
		if len(v.List) < noticesShown && !slices.Contains(told, n.ID) {
			v.List = append(v.List, n)
		}
	}
	s.Notices = notices(v)
	s.Regions = append(slices.Clip(s.Regions), Region{ID: "notices", Body: s.Notices})
	return s
}

func newNotice(p Page, o topology.Outcome) noticeView {
	n := noticeView{Icon: "ok", Look: "note-ok", Cluster: o.Ref.String(), URL: templ.SafeURL(p.URLs.Cluster(o.Ref))}
	args := []message.Arg{message.Str("pool", p.poolName(o.Kind, o.Pool)), message.Num("from", o.From), message.Num("to", o.To)}
	key, hash := message.Key("views.outcome.done"), fnv.New64a()
	if !o.Stalled.IsZero() {
		n.Icon, n.Look, key = "stall", "note-warn", "views.outcome.stalled"
		args = append(args, message.Sub("why", o.Stalled))
	}
	_, _ = fmt.Fprint(hash, o.UID, o.Kind, o.Pool, o.Began.UnixNano(), n.Icon)
	n.ID, n.Text = fmt.Sprintf("n%016x", hash.Sum64()), p.t(key, args...)
	return n
}

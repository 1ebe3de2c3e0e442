package views

import "github.com/capstan-portal/capstan/internal/topology"

// followsState words whether a cluster is as its class has it. While the class
// itself is not reconciled nobody can tell.
func followsState(p Page, f topology.Follows, classReady bool) stateView {
	switch {
	case f == topology.FollowsFailed:
		return stateView{"fail", "bad", p.t("class.follows.failed")}
	case f == topology.FollowsPaused:
		return stateView{"pause", "idle", p.t("class.follows.paused")}
	case f == topology.FollowsWaiting:
		return stateView{"recon", "move", p.t("class.follows.waiting")}
	case f == topology.FollowsYes && classReady:
		return stateView{"ok", "ok", p.t("class.follows.yes")}
	}
	return stateView{"unk", "idle", p.t("class.follows.unknown")}
}

package web

import (
	"bytes"
	"context"
	"errors"
	"hash/maphash"
	"sync"
	"time"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/topology"
	"github.com/capstan-portal/capstan/views"
)

// renderings lets open pages that look the same share the work: the same
// address in the same language, seen with the same rights by the same person,
// be it in two tabs or on ten walls. What is shared was begun at the fleet's
// newest version, so whoever was woken up finds the change in it.
type renderings struct {
	seed maphash.Seed
	mu   sync.Mutex
	made map[renderingKey]*rendering
}

type renderingKey struct {
	user    auth.UserKey
	display string
	path    string // with its query
	lang    string
	told    string    // notices that were put away
	lost    time.Time // since when the management cluster is lost
}

// rendering is one build of a page: its regions as HTML with their hashes.
type rendering struct {
	version uint64
	done    chan struct{} // closed when the fields below are set
	regions []drawn
	order   []string
	topics  []topology.Topic
	err     error
}

type drawn struct {
	id   string
	html []byte
	hash uint64
}

func newRenderings() *renderings {
	return &renderings{seed: maphash.MakeSeed(), made: map[renderingKey]*rendering{}}
}

// share gives the rendering of key at version or a newer one; the first who
// asks builds it. It is kept for as long as keep says, which bounds the memory
// and how old what time alone changes can be.
func (all *renderings) share(key renderingKey, version uint64, keep time.Duration, build func() (views.Screen, []topology.Topic, error)) *rendering {
	all.mu.Lock()
	r := all.made[key]
	if r != nil && r.version >= version {
		all.mu.Unlock()
		<-r.done
		return r
	}
	r = &rendering{version: version, done: make(chan struct{}), err: errors.New("the page's build was broken off")}
	all.made[key] = r
	all.mu.Unlock()
	time.AfterFunc(keep, func() { all.forget(key, r) })
	defer close(r.done)
	r.draw(all.seed, build)
	return r
}

func (all *renderings) forget(key renderingKey, r *rendering) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.made[key] == r {
		delete(all.made, key)
	}
}

func (r *rendering) draw(seed maphash.Seed, build func() (views.Screen, []topology.Topic, error)) {
	var screen views.Screen
	screen, r.topics, r.err = build()
	r.order = screen.Order
	for _, region := range screen.Regions {
		var b bytes.Buffer
		if err := region.Body.Render(context.Background(), &b); err != nil {
			r.err = err
			return
		}
		r.regions = append(r.regions, drawn{region.ID, b.Bytes(), maphash.Bytes(seed, b.Bytes())})
	}
}

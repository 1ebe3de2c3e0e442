// Package views shows: templ components and the view models they are fed with.
//
// web reads domain values from fleet and calls one constructor per page, for
// example Cluster(page, input), which gives a Screen: the whole body for a GET
// and the same regions one by one for the socket, made by the same code.
// Nothing here does I/O; every visible string comes from the message catalogue.
package views

import (
	"time"

	"github.com/a-h/templ"

	"github.com/capstan-portal/capstan/internal/message"
)

// Region is a free-standing piece of a page with a stable element id. A GET
// renders it inside the body; the socket renders it alone when it changed.
type Region struct {
	ID   string // the id attribute of its single root element
	Body templ.Component
}

// Screen is a page ready to be rendered.
type Screen struct {
	Title   string
	Body    templ.Component
	Regions []Region // empty when the page is not live
	// Order holds the keys of table rows, in order, for pages with a table.
	// live.js compares it with the rows shown: new keys wait as "2 new, show".
	Order []string
	// Notices stand above the page; nil where there are none. See WithNotices.
	Notices templ.Component
}

// Page is what every page needs to know about the request.
type Page struct {
	Say      message.Printer
	URLs     URLs
	Path     string // the page's own path and query, without prefix
	Section  string // "clusters", "catalog" or "": which entry of the navigation is current
	Lang     string // "en" or "zh-Hans"
	Theme    string // "light", "dark" or "" (system)
	User     string // display name; empty when nobody is signed in
	Now      time.Time
	Notice   string    // one sentence on top of the page after a redirect; may be empty
	Lost     time.Time // since when the management cluster is not reachable; zero when it is
	Request  string    // request id, shown on error pages
	LoginURL string    // link to sign in, on pages without a session
	Session  time.Time // when the session has to be renewed at the latest; zero without one
}

package views

import (
	"net/url"

	"github.com/capstan-portal/capstan/internal/topology"
)

// URLs builds every URL of the portal. It is the one place that knows the path
// prefix; handlers and links both use it.
type URLs struct {
	Prefix string // "" or "/capstan", without a slash at the end
	// Asset gives the content-hash path of a file in static, without prefix.
	Asset func(name string) string
}

// Path puts the prefix before a local path that begins with "/".
func (u URLs) Path(path string) string { return u.Prefix + path }

// Clusters is the list of clusters; query may be nil.
func (u URLs) Clusters(query url.Values) string {
	if len(query) == 0 {
		return u.Path("/")
	}
	return u.Path("/") + "?" + query.Encode()
}

// Cluster is the page of one cluster.
func (u URLs) Cluster(ref topology.Ref) string {
	return u.Path("/clusters/" + url.PathEscape(ref.Namespace) + "/" + url.PathEscape(ref.Name))
}

// Scale is where the form of a pool is posted to.
func (u URLs) Scale(ref topology.Ref, kind topology.PoolKind, pool string) string {
	return u.Cluster(ref) + "/scale/" + url.PathEscape(string(kind)) + "/" + url.PathEscape(pool)
}

// Catalog is the list of classes.
func (u URLs) Catalog() string { return u.Path("/catalog") }

// Class is the page of one class.
func (u URLs) Class(ref topology.Ref) string {
	return u.Catalog() + "/" + url.PathEscape(ref.Namespace) + "/" + url.PathEscape(ref.Name)
}

// Create is where one chooses the class of a new cluster.
func (u URLs) Create() string { return u.Path("/create") }

// Paste is where a manifest is pasted, to make a cluster of it.
func (u URLs) Paste() string { return u.Create() + "/manifest" }

// CreateFrom is the form of a new cluster of a class.
func (u URLs) CreateFrom(class topology.Ref) string {
	return u.Create() + "/" + url.PathEscape(class.Namespace) + "/" + url.PathEscape(class.Name)
}

// Me is the page that says who one is.
func (u URLs) Me() string { return u.Path("/me") }

// Login starts signing in and comes back to the local path back.
func (u URLs) Login(back string) string {
	return u.Path("/auth/login") + "?" + url.Values{"return": {back}}.Encode()
}

// Logout is where the sign-out form is posted to.
func (u URLs) Logout() string { return u.Path("/auth/logout") }

// Renew is where live.js renews the session.
func (u URLs) Renew() string { return u.Path("/auth/renew") }

// Notices is where a notice is put away.
func (u URLs) Notices() string { return u.Path("/notices") }

// Preferences is where theme and language are posted to.
func (u URLs) Preferences() string { return u.Path("/preferences") }

// Static is the URL of an embedded asset, for example "css/app.css".
func (u URLs) Static(name string) string { return u.Path(u.Asset(name)) }

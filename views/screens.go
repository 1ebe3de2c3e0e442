package views

import "github.com/a-h/templ"

// Clusters is the list of clusters.
func Clusters(p Page, in ClustersInput) Screen { return Screen{Body: templ.NopComponent} }

// Cluster is the page of one cluster.
func Cluster(p Page, in ClusterInput) Screen { return Screen{Body: templ.NopComponent} }

// Pending is the panel of the pending change alone, for the answer to a
// preview that asks for this fragment; its root has the id "pending".
func Pending(p Page, in ClusterInput) templ.Component { return templ.NopComponent }

// Catalog is the list of classes.
func Catalog(p Page, in CatalogInput) Screen { return Screen{Body: templ.NopComponent} }

// Me is who somebody is and what they may do.
func Me(p Page, in MeInput) Screen { return Screen{Body: templ.NopComponent} }

// Error is the page of a failure.
func Error(p Page, in ErrorInput) Screen { return Screen{Body: templ.NopComponent} }

// SignedOut is the page after signing out.
func SignedOut(p Page) Screen { return Screen{Body: templ.NopComponent} }

// Layout is the whole document around a screen.
func Layout(p Page, s Screen) templ.Component { return s.Body }

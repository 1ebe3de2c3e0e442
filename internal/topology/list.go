package topology

// Query is what the list of clusters is asked for; all of it stands in the URL.
type Query struct {
	Search, Namespace, Class, Version string
	State                             string // "", "attention", "changing", "paused" or "healthy"
	Sort                              string // column; "" is the order of attention
	Desc                              bool
	Page                              int // from 1
}

// PageSize is the number of rows on one page of the list.
const PageSize = 50

// Listing is one page of the list of clusters.
type Listing struct {
	Query    Query
	Rows     []Summary
	Total    int // clusters that the person may read
	Matching int // of them, those that match the query
	Pages    int
	// By state tab: "", "attention", "changing", "paused", "healthy"; counted
	// over what matches the rest of the query.
	Tabs map[string]int
	// Choices of the filters, sorted, over everything readable.
	Namespaces, Classes, Versions []string
}

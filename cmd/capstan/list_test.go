//go:build sandbox

package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// names are the clusters of the table as it stands.
func (tb *tab) names() []string {
	tb.t.Helper()
	all, err := tb.Locator("tbody tr:not(.is-gone) th a").AllTextContents()
	tb.must(err)
	return all
}

// lists waits until the table begins with these clusters and has so many rows.
func (tb *tab) lists(rows int, first ...string) {
	tb.t.Helper()
	tb.seesCount("tbody tr", rows)
	got := tb.names()
	if strings.Join(got[:min(len(got), len(first))], " ") != strings.Join(first, " ") {
		tb.t.Errorf("on %s: begins with %v, want %v", tb.URL(), got[:min(len(got), len(first)+1)], first)
	}
}

// at waits until the page's address has a query with all these parts.
func (tb *tab) at(parts ...string) {
	tb.t.Helper()
	eventually(tb.t, "the address has "+strings.Join(parts, ", "), func() bool {
		for _, part := range parts {
			if !strings.Contains(tb.URL(), part) {
				return false
			}
		}
		return true
	})
}

// paused is a cluster's manifest.
func paused(name, class, version string, workers int) string {
	return fmt.Sprintf(`---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: %s, namespace: NAMESPACE}
spec:
  paused: true
  topology:
    classRef: {name: %s}
    version: %s
    controlPlane: {replicas: 1}
    workers: {machineDeployments: [{name: md-0, class: quick, replicas: %d}]}
`, name, class, version, workers)
}

// Three clusters: order, search, an answer to nothing found, and a new row that
// waits until it is asked for.
func TestListOfThree(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Apply(paused("alpha", "quick", "v1.34.2", 3) + paused("beta", "quick", "v1.33.5", 1) + paused("gamma", "quick", "v1.34.2", 2))
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/?sort=name&ns="+w.Namespace, "team-a-dev")
	tb.lists(3, "alpha", "beta", "gamma")
	tb.line("live")
	tb.keep()
	w.Apply(paused("aaa", "quick", "v1.34.2", 1))
	tb.seesText("[data-new]", "1 new")
	tb.lists(3, "alpha", "beta", "gamma")
	tb.click("[data-show]")
	tb.lists(4, "aaa", "alpha", "beta", "gamma")
	w.Delete("Cluster", "beta")
	tb.must(tb.expect.Locator(tb.Locator(`tr:has-text("beta")`)).ToHaveClass(containing("is-gone")))
	tb.sameDocument()

	tb.must(tb.Locator("#q").Fill("GAM"))
	tb.must(tb.Locator("#q").Press("Enter"))
	tb.at("q=GAM", "sort=name", "ns="+w.Namespace)
	tb.lists(1, "gamma")
	tb.must(tb.Locator("#q").Fill("no such thing"))
	tb.must(tb.Locator("#q").Press("Enter"))
	tb.seesText("main h2", "Nothing matches")
	tb.seesCount("tbody tr", 0)
}

// More than two pages of fifty: pages, filters, order and counts, all in the
// address.
func TestListOfPages(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	var all strings.Builder
	for i := range 130 {
		all.WriteString(paused(fmt.Sprintf("c-%03d", i), "quick", []string{"v1.34.2", "v1.34.2", "v1.33.5"}[i%3], i))
	}
	w.Apply(all.String())
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/?sort=name&ns="+w.Namespace, "team-a-dev")
	tb.lists(50, "c-000", "c-001")
	tb.seesText("#pager", "1–50 of 130")
	tb.seesText(`main nav a[href*="state=paused"]`, "130")
	tb.seesText(`main nav a[href*="state=healthy"]`, "0")
	tb.click(`main nav a[title="Next page"]`)
	tb.at("page=2", "sort=name", "ns=")
	tb.lists(50, "c-050")
	tb.click(`main nav a[href*="page=3"]`)
	tb.lists(30, "c-100")
	tb.must(tb.Locator("#q").Fill("c-12"))
	tb.must(tb.Locator("#q").Press("Enter"))
	tb.at("q=c-12", "sort=name")
	tb.lists(10, "c-120", "c-121")
	tb.eval(`document.getElementById("f-version").value = "v1.33.5"; document.getElementById("f-version").dispatchEvent(new Event("change", {bubbles: true}))`)
	tb.at("version=v1.33.5", "q=c-12")
	tb.lists(3, "c-122", "c-125")
	tb.must(backTo(tb))
	tb.lists(10, "c-120")

	tb.open(p.URL + "/?sort=workers&desc=1&ns=" + w.Namespace)
	tb.lists(50, "c-129", "c-128")
	tb.must(tb.expect.Locator(tb.Locator("th[aria-sort]")).ToHaveAttribute("aria-sort", "descending"))
	tb.open(p.URL + "/?class=quick&state=paused&ns=" + w.Namespace)
	tb.seesCount("tbody tr", 50)
	tb.open(p.URL + "/?state=attention&ns=" + w.Namespace)
	tb.seesCount("tbody tr", 0)
	tb.open(p.URL + "/?page=99&sort=name&ns=" + w.Namespace)
	tb.lists(30, "c-100")
	t.Logf("the list of 130 takes %s", tb.took(p.URL+"/?ns="+w.Namespace))
}

func backTo(tb *tab) error {
	_, err := tb.GoBack()
	return err
}

// took is the shortest of ten answers to the tab's person.
func (tb *tab) took(url string) time.Duration {
	tb.t.Helper()
	best := time.Hour
	for range 10 {
		req, err := http.NewRequest(http.MethodGet, url, nil)
		tb.must(err)
		req.Header.Set("Cookie", tb.cookies(url))
		began := time.Now()
		resp, err := http.DefaultClient.Do(req)
		tb.must(err)
		_ = resp.Body.Close()
		best = min(best, time.Since(began))
	}
	return best
}

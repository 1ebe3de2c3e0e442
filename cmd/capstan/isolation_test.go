//go:build sandbox

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/capstan-portal/capstan/internal/testkit"
)

func parse(t *testing.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatalf("no number: %q", text)
	}
	return n
}

// cookies are the tab's cookies for the portal, as a request header.
func (tb *tab) cookies(portalURL string) string {
	tb.t.Helper()
	all, err := tb.Context().Cookies(portalURL)
	tb.must(err)
	var pairs []string
	for _, c := range all {
		pairs = append(pairs, c.Name+"="+c.Value)
	}
	return strings.Join(pairs, "; ")
}

// forge posts a scale form as the tab's person, past the page.
func (tb *tab) forge(p *site, w *testkit.World, cluster, seen, replicas string) (status int, body string) {
	tb.t.Helper()
	form := url.Values{"uid": {string(w.Get("Cluster", cluster).GetUID())}, "seen": {seen}, "replicas": {replicas}, "do": {"apply"}}
	req, err := http.NewRequest(http.MethodPost, p.URL+"/clusters/"+w.Namespace+"/"+cluster+"/scale/machine-deployment/md-0", strings.NewReader(form.Encode()))
	if err != nil {
		tb.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Cookie", tb.cookies(p.URL))
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		tb.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text)
}

// socket opens the page's socket as the tab's person and gives the first frame.
func (tb *tab) socket(p *site, path string) string {
	tb.t.Helper()
	header := http.Header{"Cookie": {tb.cookies(p.URL)}, "Origin": {p.URL}}
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(p.URL, "http")+path, header)
	if err != nil {
		tb.t.Fatalf("socket: %v", err)
	}
	defer func() { _ = conn.Close() }()
	_, frame, err := conn.ReadMessage()
	if err != nil {
		tb.t.Fatalf("first frame: %v", err)
	}
	return string(frame)
}

// A team sees nothing of another team's clusters: not in the list, not in its
// counts, not by address, not over the socket, and can't write to them.
func TestTeamsAreApart(t *testing.T) {
	t.Parallel()
	sb := testkit.SharedSandbox(t)
	ours, theirs := testkit.NewWorld(t, sb), testkit.NewWorld(t, sb)
	ours.Grant(teamA, team)
	theirs.Grant(teamB, team)
	ours.Cluster("secret-project", "md-0=1")
	theirs.Cluster("public-knowledge", "md-0=1")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/", "team-b-dev")
	tb.seesText("table", "public-knowledge")
	body, err := tb.Content()
	tb.must(err)
	if strings.Contains(body, "secret-project") || strings.Contains(body, ours.Namespace) {
		t.Error("the list names what team-b may not read")
	}
	path := "/clusters/" + ours.Namespace + "/secret-project"
	resp, err := tb.Goto(p.URL + path)
	tb.must(err)
	absent, err := tb.Goto(p.URL + "/clusters/" + ours.Namespace + "/no-such-cluster")
	tb.must(err)
	if resp.Status() != http.StatusNotFound || absent.Status() != http.StatusNotFound {
		t.Errorf("unreadable answers %d, absent %d; want 404 for both", resp.Status(), absent.Status())
	}
	if got := tb.socket(p, path); !strings.Contains(got, `"bye"`) || !strings.Contains(got, `"gone"`) {
		t.Errorf("the socket says %s, want bye, gone", got)
	}
	if status, _ := tb.forge(p, ours, "secret-project", "1", "2"); status != http.StatusNotFound && status != http.StatusForbidden {
		t.Errorf("forged POST answers %d, want 404 or 403", status)
	}
	if got := ours.Replicas("secret-project", "md-0"); got != 1 {
		t.Errorf("a stranger wrote %d", got)
	}
}

// Somebody who may only read sees the slider locked with the right that is
// missing; a forged POST is refused by the management cluster itself.
func TestViewerSeesButCannot(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Cluster("look", "md-0=1")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/look", "viewer")
	tb.must(tb.expect.Locator(tb.Locator(md0 + " input[type=range]")).ToBeDisabled())
	tb.must(tb.expect.Locator(tb.Locator(number)).ToBeDisabled())
	tb.seesText(md0, "patch clusters.cluster.x-k8s.io")
	status, body := tb.forge(p, w, "look", "1", "2")
	if status != http.StatusForbidden || !strings.Contains(body, "patch clusters.cluster.x-k8s.io") {
		t.Errorf("forged POST answers %d, want 403 with the missing right", status)
	}
	if got := w.Replicas("look", "md-0"); got != 1 {
		t.Errorf("the viewer wrote %d", got)
	}
}

// Bad numbers are refused with a sentence and nothing is written.
func TestBadNumbers(t *testing.T) {
	t.Parallel()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	w.Grant(teamA, team)
	w.Cluster("numbers", "md-0=1")
	p := sharedPortal(t)
	tb := openTab(t, testkit.Look{})
	tb.signIn(p.URL+"/clusters/"+w.Namespace+"/numbers", "team-a-dev")
	for _, typed := range []string{"-1", "1000000000", "3.5", "five", "", "99999999999999999999", "1e3"} {
		status, body := tb.forge(p, w, "numbers", "1", typed)
		if status != http.StatusUnprocessableEntity {
			t.Errorf("%q answers %d, want 422", typed, status)
		}
		if typed != "" && !strings.Contains(body, fmt.Sprintf(`value="%s"`, typed)) {
			t.Errorf("%q is not kept in the answer's form", typed)
		}
	}
	if got := w.Replicas("numbers", "md-0"); got != 1 {
		t.Errorf("a bad number wrote %d", got)
	}
}

//go:build sandbox

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/PuerkitoBio/goquery"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/testkit"
)

// BenchmarkPortal measures the whole program on a synthetic fleet, each figure
// beside a raw client's in the same run, and prints one table. It asserts
// nothing. `make bench` runs it on a sandbox without managers.
func BenchmarkPortal(b *testing.B) {
	sb := testkit.SharedSandbox(b)
	settle(b, sb)
	p, err := newSite(b.TempDir())
	if err == nil {
		err = p.run()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = p.end() })
	client := signedIn(b, p, "platform-admin")
	for b.Loop() {
		t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintf(t, "\n%d clusters × %d machines\tmedian\tp99\tbeside a raw client\t\n", benchClusters, benchMachines)
		pages(b, t, sb, p, client)
		forms(b, t, sb, p, client)
		live(b, t, sb, p, client)
		live(b, t, sb, p, client, signedIn(b, p, "viewer"))
		fmt.Fprintf(t, "resident memory\t%d MiB\t\t\t\n", residentMiB(b, p.cmd.Process.Pid))
		_ = t.Flush()
	}
}

// pages times whole answers of the list and of a cluster's page.
func pages(b *testing.B, t io.Writer, sb *testkit.Sandbox, p *site, client *http.Client) {
	b.Helper()
	raw := series(20, func(int) {
		clusters := sb.Client.Resource(clusterv1.GroupVersion.WithResource("clusters"))
		if _, err := clusters.List(context.Background(), metav1.ListOptions{}); err != nil {
			b.Fatal(err)
		}
	})
	fmt.Fprintf(t, "raw list of all clusters\t%s\t%s\t\t\n", ms(median(raw)), ms(p99(raw)))
	for _, page := range []struct{ name, path string }{
		{"list, first page", "/"},
		{"list, last page by age", "/?sort=age&page=10"},
		{"list, searched", "/?q=bench-04"},
		{"cluster page", "/clusters/" + benchNamespace + "/bench-%03d"},
	} {
		took := series(300, func(i int) {
			path := page.path
			if strings.Contains(path, "%") {
				path = fmt.Sprintf(path, i%benchClusters)
			}
			get(b, client, p.URL+path)
		})
		fmt.Fprintf(t, "%s\t%s\t%s\t× %.3f of the raw list\t\n", page.name, ms(median(took)), ms(p99(took)), float64(median(took))/float64(median(raw)))
	}
}

// signedIn is an HTTP client with a session, signed in the way a browser does.
func signedIn(b testing.TB, p *site, account string) *http.Client {
	b.Helper()
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar}
	resp, err := client.Get(p.URL + "/")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	doc, err := goquery.NewDocumentFromReader(resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	request, _ := doc.Find("input[name=request]").Attr("value")
	action, _ := resp.Request.URL.Parse("/login")
	done, err := client.PostForm(action.String(), url.Values{"request": {request}, "username": {account}, "password": {account}})
	if err != nil {
		b.Fatal(err)
	}
	_ = done.Body.Close()
	if done.StatusCode != http.StatusOK || !strings.HasPrefix(done.Request.URL.String(), p.URL) {
		b.Fatalf("sign-in ended at %s with %d", done.Request.URL, done.StatusCode)
	}
	return client
}

func get(b *testing.B, client *http.Client, address string) {
	b.Helper()
	resp, err := client.Get(address)
	if err != nil {
		b.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		b.Fatalf("%s answers %d", address, resp.StatusCode)
	}
}

// series runs do n times and gives the durations, sorted.
func series(n int, do func(i int)) []time.Duration {
	took := make([]time.Duration, n)
	for i := range took {
		began := time.Now()
		do(i)
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	return took
}

func median(sorted []time.Duration) time.Duration { return sorted[len(sorted)/2] }
func p99(sorted []time.Duration) time.Duration    { return sorted[len(sorted)*99/100] }
func ms(d time.Duration) string                   { return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond)) }

// residentMiB is a process's resident memory (Linux).
func residentMiB(b *testing.B, pid int) int {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, _ := strconv.Atoi(strings.Fields(rest)[0])
			return kib / 1024
		}
	}
	return 0
}

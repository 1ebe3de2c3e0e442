//go:build sandbox

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/testkit"
)

const (
	benchSockets = 50
	benchChanges = 40
	// Changes within one merging window wait for its end, by design; here each
	// comes alone.
	benchPace = 300 * time.Millisecond
)

// arrival is a frame with changed regions, as one open page got it.
type arrival struct {
	at    time.Time
	bytes int
}

// live times how long after a raw watch a change has reached 50 open pages of
// one cluster, shared out among people, and counts the bytes of both. Pages of
// one person that are equal share a rendering.
func live(b *testing.B, t io.Writer, sb *testkit.Sandbox, p *site, people ...*http.Client) {
	b.Helper()
	api := sb.Client.Resource(clusterv1.GroupVersion.WithResource("clusters")).Namespace(benchNamespace)
	raw, err := api.Watch(context.Background(), metav1.ListOptions{FieldSelector: "metadata.name=bench-000"})
	if err != nil {
		b.Fatal(err)
	}
	defer raw.Stop()
	<-raw.ResultChan() // the object as it is
	arrivals := make([]chan arrival, benchSockets)
	for i := range arrivals {
		page, frames := openSocket(b, p, people[i%len(people)], "/clusters/"+benchNamespace+"/bench-000")
		defer func() { _ = page.Close() }()
		arrivals[i] = frames
	}
	var late []time.Duration
	var rawBytes, pageBytes, rawTook []int
	pace := time.NewTicker(benchPace)
	defer pace.Stop()
	for i := range benchChanges {
		<-pace.C
		patch := fmt.Sprintf(`{"status":{"workers":{"readyReplicas":%d}}}`, i%benchMachines)
		began := time.Now()
		if _, err := api.Patch(context.Background(), "bench-000", types.MergePatchType, []byte(patch), metav1.PatchOptions{}, "status"); err != nil {
			b.Fatal(err)
		}
		event := <-raw.ResultChan()
		seen := time.Now()
		text, _ := json.Marshal(event.Object.(*unstructured.Unstructured).Object)
		rawBytes = append(rawBytes, len(text))
		rawTook = append(rawTook, int(seen.Sub(began)))
		for _, c := range arrivals {
			a := <-c
			late = append(late, max(0, a.at.Sub(seen)))
			pageBytes = append(pageBytes, a.bytes)
		}
	}
	slices.Sort(late)
	slices.Sort(rawTook)
	fmt.Fprintf(t, "change → raw watch\t%s\t%s\t\t\n", ms(time.Duration(rawTook[len(rawTook)/2])), ms(time.Duration(rawTook[len(rawTook)*99/100])))
	fmt.Fprintf(t, "raw watch → region in %d pages, sessions: %d\t%s\t%s\t\t\n", benchSockets, len(people), ms(median(late)), ms(p99(late)))
	fmt.Fprintf(t, "bytes per change and page\t%d\t\t× %.2f of the raw event's %d\t\n", mean(pageBytes), float64(mean(pageBytes))/float64(mean(rawBytes)), mean(rawBytes))
}

// openSocket opens a page's socket and passes on each frame with changed regions,
// after the first ones, which bring the page up to date.
func openSocket(b *testing.B, p *site, client *http.Client, path string) (*websocket.Conn, chan arrival) {
	b.Helper()
	home, _ := url.Parse(p.URL)
	var cookies []string
	for _, c := range client.Jar.Cookies(home) {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	header := http.Header{"Cookie": {strings.Join(cookies, "; ")}, "Origin": {p.URL}}
	var conn *websocket.Conn
	var fault error
	// Those of the last measure may still be counted among this person's.
	if !within(10*time.Second, func() bool {
		conn, fault = dialPage("ws"+strings.TrimPrefix(p.URL, "http")+path, header)
		return fault == nil
	}) {
		b.Fatalf("socket: %v", fault)
	}
	out := make(chan arrival, benchChanges)
	go func() {
		defer close(out)
		for {
			_, frame, err := conn.ReadMessage()
			if err != nil {
				return
			}
			if strings.Contains(string(frame), `"t":"regions"`) {
				out <- arrival{time.Now(), len(frame)}
			}
		}
	}()
	return conn, out
}

// dialPage opens a socket and takes its first frame.
func dialPage(url string, header http.Header) (*websocket.Conn, error) {
	conn, resp, err := websocket.DefaultDialer.Dial(url, header)
	if err != nil {
		return nil, err
	}
	_ = resp.Body.Close()
	if _, _, err := conn.ReadMessage(); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

func mean(all []int) int {
	sum := 0
	for _, n := range all {
		sum += n
	}
	return sum / max(1, len(all))
}

package views

import (
	"bytes"
	"context"
	"testing"
	"time"
)

// BenchmarkClusterRegions is what one open page of a cluster costs when
// something has changed: its view model and all its regions.
func BenchmarkClusterRegions(b *testing.B) {
	page := storyPage(b, "en", "light")
	cluster := storyCluster(time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC))
	var out bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		for _, region := range Cluster(page, ClusterInput{Cluster: cluster}).Regions {
			if err := region.Body.Render(context.Background(), &out); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(out.Len()), "page-bytes")
}

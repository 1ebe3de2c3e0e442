package fleet

import (
	"testing"

	"github.com/capstan-portal/capstan/internal/message"
)

func TestOverQuota(t *testing.T) {
	catalogue, err := message.Load()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`clusters.cluster.x-k8s.io "shop" is forbidden: exceeded quota: few, requested: count/clusters.cluster.x-k8s.io=1, used: count/clusters.cluster.x-k8s.io=2, limited: count/clusters.cluster.x-k8s.io=2`: "The quota few of the namespace is used up (count/clusters.cluster.x-k8s.io 2/2). Nothing was written: delete what is no longer needed, or ask for a larger quota.",
		`exceeded quota: q, requested: a=1,b=1, used: a=0,b=5, limited: a=0,b=5`: "The quota q of the namespace is used up (a 0/0, b 5/5). Nothing was written: delete what is no longer needed, or ask for a larger quota.",
		`exceeded quota: in words of another kind`:                               "The quota in words of another kind of the namespace is used up (in words of another kind). Nothing was written: delete what is no longer needed, or ask for a larger quota.",
	} {
		if got := catalogue.Printer(message.English).Say(overQuota(text)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

package fleet

import (
	"strings"

	"github.com/capstan-portal/capstan/internal/message"
)

// overQuota words a refusal by Kubernetes' ResourceQuota plugin, which has a
// message and nothing else (kubernetes: plugin/pkg/admission/resourcequota):
// "exceeded quota: NAME, requested: A=1,B=2, used: A=3,B=4, limited: A=3,B=4".
func overQuota(text string) message.Text {
	said := after(text, quotaExceeded+": ")
	name, rest, _ := strings.Cut(said, ", requested: ")
	_, rest, _ = strings.Cut(rest, ", used: ")
	used, limited, ok := strings.Cut(rest, ", limited: ")
	if !ok {
		return message.New("fleet.quota", message.Str("quota", name), message.Str("text", said))
	}
	taken := map[string]string{}
	for pair := range strings.SplitSeq(used, ",") {
		what, n, _ := strings.Cut(pair, "=")
		taken[what] = n
	}
	var words []string
	for pair := range strings.SplitSeq(limited, ",") {
		what, n, _ := strings.Cut(pair, "=")
		words = append(words, what+" "+taken[what]+"/"+n)
	}
	return message.New("fleet.quota", message.Str("quota", name), message.Str("text", strings.Join(words, ", ")))
}

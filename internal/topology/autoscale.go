package topology

import (
	"strconv"

	"github.com/capstan-portal/capstan/internal/message"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// span is the autoscaler's range of a pool, as its annotations say it.
type span struct {
	min, max *int
	named    int // how many of the two annotations there are, even if unreadable
}

// rangeOf reads the two annotations; later maps win over earlier ones, as the
// topology controller merges the class's metadata and then the pool's.
func rangeOf(annotations ...map[string]string) span {
	var lowest, highest string
	var named [2]bool
	for _, a := range annotations {
		if v, ok := a[clusterv1.AutoscalerMinSizeAnnotation]; ok {
			lowest, named[0] = v, true
		}
		if v, ok := a[clusterv1.AutoscalerMaxSizeAnnotation]; ok {
			highest, named[1] = v, true
		}
	}
	s := span{min: size(lowest), max: size(highest)}
	for _, is := range named {
		if is {
			s.named++
		}
	}
	return s
}

func size(text string) *int {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return nil
	}
	v := int(n)
	return &v
}

// complete tells whether both bounds are set and make a range.
func (s span) complete() bool {
	return s.min != nil && s.max != nil && *s.min <= *s.max
}

// fault says what is wrong with the pair of number and range; zero when nothing
// is. CAPI's webhook checks a part of this, and for MachineDeployments only.
func (s span) fault(replicas *int32) message.Text {
	switch {
	case replicas != nil && s.named > 0:
		return message.New("why.range-and-number")
	case replicas != nil:
		return message.Text{}
	case s.named == 0:
		return message.New("why.number-unset")
	case s.named == 1:
		return message.New("why.range-half")
	case !s.complete():
		return message.New("why.range-bad")
	default:
		return message.Text{}
	}
}

// locked says that the autoscaler decides; zero when there is no range.
func (s span) locked() message.Text {
	switch {
	case s.named == 0:
		return message.Text{}
	case s.complete():
		return message.New("locked.autoscaled", message.Num("min", *s.min), message.Num("max", *s.max))
	default:
		return message.New("locked.autoscaled-open")
	}
}

// whole is the range if both bounds make one; else nil.
func (s span) whole() *Range {
	if !s.complete() {
		return nil
	}
	return &Range{*s.min, *s.max}
}

package topology

// rungs are the ends that sliders have. Few, and far apart: the end of the
// slider must not move with every change of the number.
func rungs() []int { return []int{12, 20, 40, 100, 200, 400, 1000, 2000, 4000, 10000} }

// SliderEnd is where a pool's slider ends: the first rung that leaves a quarter
// of room above what is wished and what exists, at most max, and never below
// what is there already (the thumb would stand at a wrong number).
func SliderEnd(wish, total, max int) int {
	most := wish
	if total > most {
		most = total
	}
	end := max
	for _, rung := range rungs() {
		if most*5 <= rung*4 {
			end = rung
			break
		}
	}
	if end > max {
		end = max
	}
	if end < most {
		end = most
	}
	return end
}

// controlPlaneEnd is SliderEnd for control planes, whose sensible sizes are few.
func controlPlaneEnd(wish, total, limit int) int {
	return max(min(7, limit), wish, total)
}

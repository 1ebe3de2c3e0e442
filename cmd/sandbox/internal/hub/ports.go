package hub

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// FreePorts finds n different free ports on the loopback interface. All are
// held open until the last is found, so that none is handed out twice.
func FreePorts(n int) ([]int, error) {
	ports := make([]int, 0, n)
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("no free port on 127.0.0.1: %w", err)
		}
		defer listener.Close() // held until all are found
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// Windows of ports for workload clusters lie below the range from which
// systems hand out ephemeral ports.
const (
	firstWindow = 20000
	windowSize  = 1000
	windows     = 12
)

// ErrNoWindow says that too many sandboxes run on this machine.
var ErrNoWindow = errors.New("ports 20000 to 31999 are taken: stop another sandbox first")

// WorkloadPorts finds a window of ports for the API servers of workload
// clusters. Its first port is bound by the in-memory provider for as long as
// it runs, which marks the window as taken for other sandboxes.
func WorkloadPorts() (first, last int, err error) {
	for _, i := range rand.Perm(windows) {
		first = firstWindow + i*windowSize
		if free(first) && free(first+1) {
			return first, first + windowSize - 1, nil
		}
	}
	return 0, 0, ErrNoWindow
}

func free(port int) bool {
	listener, err := net.Listen("tcp", fmt.Sprintf(":%d", port))
	if err != nil {
		return false
	}
	return listener.Close() == nil
}

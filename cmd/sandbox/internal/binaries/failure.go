package binaries

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
)

// cause is one way in which a build fails, recognised by the go command's
// words, and the sentence that a person needs.
type cause struct {
	sign, sentence string
}

func causes() []cause {
	return []cause{
		{"no space left on device", "the disk is full: the first build needs about 6 GB for Go's caches and 0.7 GB for the programs"},
		{"requires go >=", "the Go version is too old: install the one named in cmd/sandbox/go.mod, or allow GOTOOLCHAIN=auto"},
		{"no such host", "the Go module proxy can't be reached: check the network and GOPROXY"},
		{"connection refused", "the Go module proxy can't be reached: check the network and GOPROXY"},
		{"i/o timeout", "the Go module proxy doesn't answer: check the network and GOPROXY"},
		{"checksum mismatch", "a downloaded module isn't the pinned one: clean the module cache (go clean -modcache) or distrust the proxy"},
		{"signal: killed", "the compiler was killed, most likely for want of memory: the build needs about 3 GB"},
	}
}

// explain turns the failure of a build step into one clear sentence; the go
// command's own words follow for those who need them.
func explain(what string, err error, output string) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("there is no go command in PATH: install Go to build the sandbox's programs")
	}
	if errors.Is(err, syscall.ENOSPC) {
		return errors.New(causes()[0].sentence)
	}
	text := output + " " + err.Error()
	for _, c := range causes() {
		if strings.Contains(text, c.sign) {
			return fmt.Errorf("%s could not be built: %s (%s)", what, c.sentence, lastLine(output))
		}
	}
	return fmt.Errorf("%s could not be built: %w: %s", what, err, lastLine(output))
}

func lastLine(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

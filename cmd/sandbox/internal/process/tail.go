package process

import (
	"bytes"
	"os"
)

// tail returns the last n lines of a file, for error messages.
func tail(file string, n int) string {
	content, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	lines := bytes.Split(bytes.TrimRight(content, "\n"), []byte("\n"))
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return string(bytes.Join(lines, []byte("\n")))
}

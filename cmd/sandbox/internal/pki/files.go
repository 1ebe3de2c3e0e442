package pki

import (
	"fmt"
	"os"
	"path/filepath"
)

// Write stores the pair as base.crt and base.key in dir.
func (p Pair) Write(dir, base string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("no folder for certificates: %w", err)
	}
	for suffix, content := range map[string][]byte{".crt": p.Cert, ".key": p.Key} {
		if err := os.WriteFile(filepath.Join(dir, base+suffix), content, 0o600); err != nil {
			return fmt.Errorf("certificate %s can't be written: %w", base, err)
		}
	}
	return nil
}

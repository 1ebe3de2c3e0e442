//go:build !linux

package process

import "syscall"

// childAttributes knows no parent-death signal outside Linux: there a sandbox
// that is killed (not interrupted) leaves its children behind.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

package process

import "syscall"

// childAttributes puts the child into its own process group, so that Ctrl-C in
// a terminal reaches only the sandbox, which then ends its children in order.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

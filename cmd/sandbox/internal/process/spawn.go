package process

import (
	"os/exec"
	"runtime"
)

// Spawner starts children from one operating system thread that lives as long
// as this program. Linux sends a child its parent-death signal when the
// *thread* that created it ends, so starting children from any goroutine would
// kill them whenever the Go runtime retires a thread.
type Spawner struct {
	requests chan request
}

type request struct {
	cmd  *exec.Cmd
	done chan error
}

// NewSpawner starts the thread. It never ends.
func NewSpawner() *Spawner {
	s := &Spawner{requests: make(chan request)}
	go s.loop()
	return s
}

func (s *Spawner) loop() {
	runtime.LockOSThread()
	for r := range s.requests {
		r.done <- r.cmd.Start()
	}
}

// Start starts cmd so that it dies with this program, whatever ends it.
func (s *Spawner) Start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = childAttributes()
	r := request{cmd: cmd, done: make(chan error, 1)}
	s.requests <- r
	return <-r.done
}

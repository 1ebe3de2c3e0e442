// Package identity is the sandbox's OpenID provider: four people whose
// passwords are their names, one confidential client, everything in memory.
// It exists for development and tests and must never face a network.
package identity

import (
	"crypto/subtle"
	"fmt"
	"sync"
)

// Account is a person who may sign in. The password equals the name.
type Account struct {
	Name   string   `json:"name"`
	Groups []string `json:"groups"`
	About  string   `json:"about"`
}

// Accounts are the people of every sandbox.
func Accounts() []Account {
	return []Account{
		{"platform-admin", []string{"platform-team"}, "may do everything with Cluster API, everywhere"},
		{"team-a-dev", []string{"team-a"}, "changes clusters in namespace team-a"},
		{"team-b-dev", []string{"team-b"}, "changes clusters in namespace team-b"},
		{"viewer", []string{"viewers"}, "sees everything, changes nothing"},
	}
}

// directory knows the accounts and which of them are disabled.
type directory struct {
	mu       sync.Mutex
	accounts map[string]Account
	disabled map[string]bool
}

func newDirectory() *directory {
	d := &directory{accounts: map[string]Account{}, disabled: map[string]bool{}}
	for _, a := range Accounts() {
		d.accounts[a.Name] = a
	}
	return d
}

// find returns an account that may be used.
func (d *directory) find(name string) (Account, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a, ok := d.accounts[name]
	return a, ok && !d.disabled[name]
}

// check tells whether name and password belong together.
func (d *directory) check(name, password string) bool {
	_, ok := d.find(name)
	return ok && subtle.ConstantTimeCompare([]byte(name), []byte(password)) == 1
}

func (d *directory) setDisabled(name string, disabled bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.accounts[name]; !ok {
		return fmt.Errorf("there is no account %q", name)
	}
	d.disabled[name] = disabled
	return nil
}

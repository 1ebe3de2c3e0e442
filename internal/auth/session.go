package auth

import (
	"encoding/json"
	"time"
)

// Session is somebody signed in. It lives in a sealed cookie and nowhere else;
// it holds no ID token and no access token.
type Session struct {
	User    User
	ID      string    // random, the same through all renewals
	Refresh string    // the provider's refresh token; empty when it gives none
	Began   time.Time // when they signed in
	Checked time.Time // when the provider last vouched for them
}

// Limits is how long sessions live. The zero value means the defaults.
type Limits struct {
	Idle       time.Duration // since Checked; 0: 8 h
	Max        time.Duration // since Began; 0: 24 h
	RenewAfter time.Duration // since Checked; 0: 15 min
}

// withDefaults makes the zero value work.
func (l Limits) withDefaults() Limits {
	if l.Idle <= 0 {
		l.Idle = 8 * time.Hour
	}
	if l.Max <= 0 {
		l.Max = 24 * time.Hour
	}
	if l.RenewAfter <= 0 {
		l.RenewAfter = 15 * time.Minute
	}
	return l
}

// Expires is when s ends unless it is renewed.
func (l Limits) Expires(s Session) time.Time {
	l = l.withDefaults()
	idle := s.Checked.Add(l.Idle)
	if most := s.Began.Add(l.Max); most.Before(idle) {
		return most
	}
	return idle
}

// Ends is when s ends in any case.
func (l Limits) Ends(s Session) time.Time { return s.Began.Add(l.withDefaults().Max) }

// StaleAt is when the provider is to be asked again.
func (l Limits) StaleAt(s Session) time.Time { return s.Checked.Add(l.withDefaults().RenewAfter) }

// Stale says whether the provider is to be asked again.
func (l Limits) Stale(s Session, now time.Time) bool { return !now.Before(l.StaleAt(s)) }

// sessionWire is a Session inside its cookie: short names, whole seconds, and
// the expiry, which no one outside can then prolong.
type sessionWire struct {
	Subject string   `json:"s"`
	Name    string   `json:"n"`
	Display string   `json:"d"`
	Groups  []string `json:"g,omitempty"`
	ID      string   `json:"i"`
	Refresh string   `json:"r,omitempty"`
	Began   int64    `json:"b"`
	Checked int64    `json:"c"`
	Expires int64    `json:"e"`
}

// SealSession is s as the value of the cookie called name.
func (k *Keyring) SealSession(name string, s Session, l Limits) (string, error) {
	plain, err := json.Marshal(sessionWire{
		Subject: s.User.Subject, Name: s.User.Name, Display: s.User.Display, Groups: s.User.Groups,
		ID: s.ID, Refresh: s.Refresh,
		Began: s.Began.Unix(), Checked: s.Checked.Unix(), Expires: l.Expires(s).Unix(),
	})
	if err != nil {
		return "", err
	}
	return k.Seal(name, plain), nil
}

// OpenSession gives the session that was sealed for name; false when there is
// none, it was tampered with, or it has ended.
func (k *Keyring) OpenSession(name, sealed string, l Limits, now time.Time) (Session, bool) {
	plain, err := k.Open(name, sealed)
	if err != nil {
		return Session{}, false
	}
	var w sessionWire
	if json.Unmarshal(plain, &w) != nil {
		return Session{}, false
	}
	s := Session{
		User: User{Subject: w.Subject, Name: w.Name, Display: w.Display, Groups: w.Groups},
		ID:   w.ID, Refresh: w.Refresh, Began: time.Unix(w.Began, 0), Checked: time.Unix(w.Checked, 0),
	}
	// The limits may have been shortened since it was sealed.
	if !now.Before(time.Unix(w.Expires, 0)) || !now.Before(l.Expires(s)) || s.User.Name == "" {
		return Session{}, false
	}
	return s, true
}

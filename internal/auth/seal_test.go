package auth

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func ring(t *testing.T, ids ...string) *Keyring {
	t.Helper()
	var keys []Key
	for _, id := range ids {
		keys = append(keys, Key{ID: id, Secret: bytes.Repeat([]byte(id[:1]), 32)})
	}
	k, err := NewKeyring(keys)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestSealOpens(t *testing.T) {
	k := ring(t, "a")
	sealed := k.Seal("cookie", []byte("plain"))
	plain, err := k.Open("cookie", sealed)
	if err != nil || string(plain) != "plain" {
		t.Fatalf("got %q, %v", plain, err)
	}
	if strings.Contains(sealed, "plain") || !strings.HasPrefix(sealed, "a.") {
		t.Errorf("unexpected form: %s", sealed)
	}
}

func TestSealRefuses(t *testing.T) {
	k := ring(t, "a")
	good := k.Seal("cookie", []byte("plain"))
	flipped := []byte(good)
	flipped[len(flipped)/2] ^= 1
	tests := map[string]struct{ name, sealed string }{
		"another name":   {"other", good},
		"one bit":        {"cookie", string(flipped)},
		"cut short":      {"cookie", good[:len(good)-4]},
		"unknown key":    {"cookie", "b" + good[1:]},
		"no key":         {"cookie", good[2:]},
		"empty":          {"cookie", ""},
		"not base64":     {"cookie", "a.%%%"},
		"another's seal": {"cookie", ring(t, "b").Seal("cookie", []byte("plain"))},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := k.Open(test.name, test.sealed); !errors.Is(err, ErrUnsealed) {
				t.Errorf("got %v, want ErrUnsealed", err)
			}
		})
	}
}

func TestKeysRotate(t *testing.T) {
	old := ring(t, "a").Seal("cookie", []byte("plain"))
	both := ring(t, "b", "a")
	if _, err := both.Open("cookie", old); err != nil {
		t.Errorf("the old key's seal does not open: %v", err)
	}
	if !strings.HasPrefix(both.Seal("cookie", nil), "b.") {
		t.Error("the first key does not seal")
	}
	if _, err := ring(t, "b").Open("cookie", old); err == nil {
		t.Error("a removed key still opens")
	}
}

package auth

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// Key is one AES-256 key with the id that stands in clear before what it
// sealed. An id holds no dot.
type Key struct {
	ID     string
	Secret []byte // 32 bytes
}

// ErrUnsealed means that a sealed text is not ours, was changed, was sealed for
// another name, or by a key that is not kept any more.
var ErrUnsealed = errors.New("auth: can't be unsealed")

// Keyring seals with its first key and opens with all, so that keys rotate:
// add the new one behind, then put it first, then remove the old one.
type Keyring struct {
	first string
	keys  map[string]cipher.AEAD
}

// NewKeyring takes at least one key.
func NewKeyring(keys []Key) (*Keyring, error) {
	if len(keys) == 0 {
		return nil, errors.New("auth: a keyring needs a key")
	}
	ring := &Keyring{first: keys[0].ID, keys: map[string]cipher.AEAD{}}
	for _, key := range keys {
		if len(key.Secret) != 32 {
			return nil, fmt.Errorf("auth: key %q has %d bytes, not 32", key.ID, len(key.Secret))
		}
		block, err := aes.NewCipher(key.Secret)
		if err != nil {
			return nil, fmt.Errorf("auth: key %q: %w", key.ID, err)
		}
		gcm, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return nil, fmt.Errorf("auth: key %q: %w", key.ID, err)
		}
		ring.keys[key.ID] = gcm
	}
	return ring, nil
}

// Seal encrypts plain for one name (of a cookie): what is sealed for one name
// can't be opened under another.
func (k *Keyring) Seal(name string, plain []byte) string {
	box := k.keys[k.first].Seal(nil, nil, plain, []byte(name))
	return k.first + "." + base64.RawURLEncoding.EncodeToString(box)
}

// Open decrypts what Seal made for the same name. The error is ErrUnsealed.
func (k *Keyring) Open(name, sealed string) ([]byte, error) {
	id, encoded, found := strings.Cut(sealed, ".")
	gcm, known := k.keys[id]
	if !found || !known {
		return nil, ErrUnsealed
	}
	box, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		return nil, ErrUnsealed
	}
	plain, err := gcm.Open(nil, nil, box, []byte(name))
	if err != nil {
		return nil, ErrUnsealed
	}
	return plain, nil
}

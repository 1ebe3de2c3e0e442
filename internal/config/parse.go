package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
)

func text(to *string, v string) error {
	*to = v
	return nil
}

func required(to *string, v string) error {
	*to = v
	if v == "" {
		return errors.New("is missing")
	}
	return nil
}

// prefix reads "-" as none, as kube-apiserver's --oidc-username-prefix does.
func prefix(to *string, v string) error {
	*to = v
	if v == "-" {
		*to = ""
	}
	return nil
}

func duration(to *time.Duration, v string, least time.Duration) error {
	d, err := time.ParseDuration(v)
	if err != nil {
		return errors.New("is no duration such as 15m or 8h")
	}
	if d < least {
		return fmt.Errorf("must be at least %s", least)
	}
	*to = d
	return nil
}

func setPublicURL(c *Config, v string) error {
	u, err := url.Parse(v)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("is no URL such as https://capstan.example.com")
	}
	if u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("must begin with https://")
	}
	if u.Scheme == "http" && !loopback(u.Hostname()) {
		// Secure cookies and Web Locks need a secure context.
		return errors.New("must begin with https:// unless the host is this machine (localhost)")
	}
	u.Path = strings.TrimSuffix(path.Clean("/"+u.Path), "/")
	u.RawPath = ""
	u.Host = strings.ToLower(u.Host)
	c.PublicURL = u
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

func setIssuer(c *Config, v string) error {
	if v == "" {
		return errors.New("is missing")
	}
	u, err := url.Parse(v)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return errors.New("is no URL such as https://login.example.com")
	}
	if u.Scheme == "http" && !loopback(u.Hostname()) {
		return errors.New("must begin with https:// unless the host is this machine (localhost)")
	}
	c.OIDC.Issuer = v
	return nil
}

func setScopes(c *Config, v string) error {
	c.OIDC.Scopes = strings.Fields(strings.ReplaceAll(v, ",", " "))
	for _, s := range c.OIDC.Scopes {
		if s == "openid" {
			return nil
		}
	}
	return errors.New("must hold openid")
}

func setKeys(c *Config, v string) error {
	seen := map[string]bool{}
	for _, part := range strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune(", \n\r\t", r) }) {
		id, encoded, found := strings.Cut(part, ":")
		secret, err := decodeKey(encoded)
		switch {
		case !found || !keyID(id):
			return errors.New("is not id:base64key,… with ids of letters, digits and dashes")
		case err != nil || len(secret) != 32:
			return fmt.Errorf("key %q is not 32 bytes in base64 (openssl rand -base64 32)", id)
		case seen[id]:
			return fmt.Errorf("has two keys called %q", id)
		}
		seen[id] = true
		c.Session.Keys = append(c.Session.Keys, Key{ID: id, Secret: secret})
	}
	return nil
}

// decodeKey takes all four spellings of base64.
func decodeKey(s string) ([]byte, error) {
	s = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	return base64.RawStdEncoding.DecodeString(s)
}

// keyID keeps ids to what may stand in a cookie and cannot be taken for the
// dot that follows it.
func keyID(id string) bool {
	odd := func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}
	return id != "" && len(id) <= 32 && !strings.ContainsFunc(id, odd)
}

func setMaxReplicas(c *Config, v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > 100_000 {
		return errors.New("is no number from 1 to 100000")
	}
	c.MaxReplicas = n
	return nil
}

func setLogFormat(c *Config, v string) error {
	c.LogFormat = v
	if v != "json" && v != "text" {
		return errors.New("is neither json nor text")
	}
	return nil
}

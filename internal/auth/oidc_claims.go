package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// skew is how far the provider's clock may differ from ours.
const skew = time.Minute

// errNoClaims: the provider answered, but said nothing about the person.
var errNoClaims = errors.New("auth: neither ID token nor userinfo")

// claims is what the provider says about a person, by claim.
type claims map[string]json.RawMessage

// claims verifies the ID token and reads it; what it lacks is asked of
// userinfo. nonce is that of the sign-in, empty at a renewal.
func (p *Provider) claims(ctx context.Context, l *link, token *oauth2.Token, nonce string) (claims, error) {
	c := claims{}
	if raw, ok := token.Extra("id_token").(string); ok && raw != "" {
		id, err := p.verify(ctx, l, raw, nonce)
		if err != nil {
			return nil, err
		}
		if err := id.Claims(&c); err != nil {
			return nil, badToken(err)
		}
	} else if nonce != "" {
		return nil, badToken(errors.New("no ID token at sign-in"))
	}
	if c.has(p.set.NameClaim) && c.has(p.set.GroupsClaim) {
		return c, nil
	}
	if err := c.ask(ctx, l, token); err != nil {
		return nil, err
	}
	if !c.has("sub") {
		return nil, errNoClaims
	}
	return c, nil
}

func (p *Provider) verify(ctx context.Context, l *link, raw, nonce string) (*oidc.IDToken, error) {
	id, err := l.verifier.Verify(ctx, raw)
	if err != nil {
		return nil, badToken(err)
	}
	// go-oidc leaves the nonce to its caller.
	if nonce != "" && id.Nonce != nonce {
		return nil, badToken(errors.New("nonce differs"))
	}
	var times struct {
		NotBefore float64 `json:"nbf"`
	}
	if err := id.Claims(&times); err != nil {
		return nil, badToken(err)
	}
	now, notBefore := p.set.Now(), time.Unix(int64(times.NotBefore), 0)
	// The token was issued a moment ago: if it lies in the future or has ended,
	// one of the two clocks is wrong.
	if id.IssuedAt.After(now.Add(skew)) || notBefore.After(now.Add(skew)) || id.Expiry.Before(now.Add(-skew)) {
		return nil, wrongClock(fmt.Errorf("now %s, token issued %s, not before %s, expires %s", now, id.IssuedAt, notBefore, id.Expiry))
	}
	return id, nil
}

// ask adds what userinfo knows; the ID token's own word stands.
func (c claims) ask(ctx context.Context, l *link, token *oauth2.Token) error {
	if !l.userinfo {
		return nil
	}
	info, err := l.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return unreachable(err)
	}
	if c.has("sub") && c.text("sub") != info.Subject {
		return badToken(errors.New("userinfo is about another subject"))
	}
	more := claims{}
	if err := info.Claims(&more); err != nil {
		return badToken(err)
	}
	for name, value := range more {
		if !c.has(name) {
			c[name] = value
		}
	}
	return nil
}

// user makes the Kubernetes user of the claims.
func (p *Provider) user(c claims) (User, error) {
	name := c.text(p.set.NameClaim)
	if name == "" || control(name) {
		return User{}, noName(p.set.NameClaim)
	}
	if p.set.NameClaim == "email" && c.has("email_verified") && !c.true("email_verified") {
		return User{}, unverified() // as the API server does
	}
	u := User{Subject: c.text("sub"), Name: p.set.NamePrefix + name, Display: name}
	if system(name) || system(u.Name) {
		return User{}, systemName(name)
	}
	for _, group := range c.list(p.set.GroupsClaim) {
		if group == "" || control(group) {
			continue
		}
		if system(group) || system(p.set.GroupsPrefix+group) {
			return User{}, systemName(group)
		}
		u.Groups = append(u.Groups, p.set.GroupsPrefix+group)
	}
	return u, nil
}

// system is Kubernetes' own namespace of users and groups: nobody from outside
// belongs there.
func system(name string) bool { return strings.HasPrefix(name, "system:") }

// control finds what can't stand in an impersonation header.
func control(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

func (c claims) has(name string) bool {
	raw, ok := c[name]
	return ok && string(raw) != "null"
}

func (c claims) text(name string) string {
	var s string
	if json.Unmarshal(c[name], &s) != nil {
		return ""
	}
	return s
}

func (c claims) true(name string) bool {
	var b bool
	return json.Unmarshal(c[name], &b) == nil && b
}

// list reads a list of texts, or the single text that some providers send.
func (c claims) list(name string) []string {
	var many []string
	if json.Unmarshal(c[name], &many) == nil {
		return many
	}
	if one := c.text(name); one != "" {
		return []string{one}
	}
	return nil
}

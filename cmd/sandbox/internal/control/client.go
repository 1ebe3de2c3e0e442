package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Steer asks the sandbox behind a socket to stop or start a component.
func Steer(ctx context.Context, socket, name, verb string) error {
	_, err := call(ctx, socket, http.MethodPost, "/components/"+url.PathEscape(name)+"/"+verb)
	return err
}

// SetAccount asks the sandbox behind a socket to disable or enable an account.
func SetAccount(ctx context.Context, socket, name, verb string) error {
	_, err := call(ctx, socket, http.MethodPost, "/accounts/"+url.PathEscape(name)+"/"+verb)
	return err
}

func call(ctx context.Context, socket, method, path string) (string, error) {
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", socket)
		},
	}}
	req, err := http.NewRequestWithContext(ctx, method, "http://sandbox"+path, nil)
	if err != nil {
		return "", fmt.Errorf("no request for the sandbox: %w", err)
	}
	res, err := client.Do(req)
	if err != nil {
		return "", fmt.Errorf("the sandbox doesn't answer; is it running? (%w)", err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return "", fmt.Errorf("the sandbox's answer is cut off: %w", err)
	}
	if res.StatusCode >= http.StatusBadRequest {
		return "", errors.New(strings.TrimSpace(string(body)))
	}
	return string(body), nil
}

package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
)

// answers waits until url answers 200.
func answers(url string, config *tls.Config) func(context.Context) error {
	client := &http.Client{
		Timeout: 2 * time.Second,
		Transport: &http.Transport{
			TLSClientConfig: config, DisableKeepAlives: true,
		},
	}
	return func(ctx context.Context) error {
		var last error
		err := wait.PollUntilContextCancel(ctx, 100*time.Millisecond, true, func(ctx context.Context) (bool, error) {
			last = get(ctx, client, url)
			return last == nil, nil
		})
		if err != nil {
			return errors.Join(err, last)
		}
		return nil
	}
}

// Answers waits until an address of a component answers 200 without TLS.
func Answers(url string) func(context.Context) error { return answers(url, nil) }

func get(ctx context.Context, client *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, res.Status)
	}
	return nil
}

// apiServerReady waits for the API server with all its start-up work done.
func (h *Hub) apiServerReady(ctx context.Context) error {
	config, err := rest.TLSConfigFor(h.config)
	if err != nil {
		return err
	}
	return answers(h.url+"/readyz", config)(ctx)
}

package fail_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
)

func TestCodeOf(t *testing.T) {
	cause := errors.New("dial tcp: refused")
	wrapped := fail.Wrap(cause, fail.Unavailable, message.New("replicas.empty"))
	cases := []struct {
		name string
		err  error
		want fail.Code
	}{
		{"nothing", nil, ""},
		{"ours", wrapped, fail.Unavailable},
		{"ours within another", fmt.Errorf("listing: %w", wrapped), fail.Unavailable},
		{"any other", cause, fail.Internal},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if got := fail.CodeOf(tc.err); got != tc.want {
				t.Errorf("CodeOf = %q, want %q", got, tc.want)
			}
		})
	}
	if !errors.Is(wrapped, cause) {
		t.Error("the cause is lost")
	}
	if got, want := wrapped.Error(), "unavailable: replicas.empty: dial tcp: refused"; got != want {
		t.Errorf("Error = %q, want %q", got, want)
	}
}

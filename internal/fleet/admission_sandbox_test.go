//go:build sandbox

package fleet_test

import (
	"context"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/testkit"
)

func TestWhatAdmissionSays(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		rule     string // a cluster-wide object for the world's namespace alone
		replicas int
		code     fail.Code
		key      message.Key
	}{
		"a policy refuses":  {policy, 77, fail.Invalid, "fleet.denied"},
		"a webhook is down": {webhook, 5, fail.Unavailable, "fleet.webhook-down"},
	}
	sb := testkit.SharedSandbox(t)
	f := connect(t, sb)
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			w := newTeam(t, sb)
			w.settled(t, f)
			w.Apply(tc.rule)
			t.Cleanup(func() { removeRules(sb, w.Namespace+"-rule") })
			// Admission learns of the rule a moment later.
			var err error
			until(t, "the rule holds", 30*time.Second, func() bool {
				_, err = f.Scale(t.Context(), w.person, w.wish(3, tc.replicas), true)
				return err != nil
			})
			wantCode(t, err, tc.code)
			if key(err) != tc.key {
				t.Errorf("says %q, want %q: %v", key(err), tc.key, err)
			}
		})
	}
}

// removeRules takes back what lies outside of the world's namespace.
func removeRules(sb *testkit.Sandbox, name string) {
	for _, resource := range []string{"validatingwebhookconfigurations", "validatingadmissionpolicybindings", "validatingadmissionpolicies"} {
		gvr := schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: resource}
		_ = sb.Client.Resource(gvr).Delete(context.Background(), name, metav1.DeleteOptions{})
	}
}

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: NAMESPACE-rule}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAMESPACE}}
    resourceRules: [{apiGroups: [cluster.x-k8s.io], apiVersions: ["*"], operations: [UPDATE], resources: [clusters]}]
  validations:
  - expression: "object.spec.topology.workers.machineDeployments.all(p, !has(p.replicas) || p.replicas <= 50)"
    message: "at most 50 machines here"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: NAMESPACE-rule}
spec: {policyName: NAMESPACE-rule, validationActions: [Deny]}`

const webhook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: NAMESPACE-rule}
webhooks:
- name: down.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://127.0.0.1:1/"}
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAMESPACE}}
  rules: [{apiGroups: [cluster.x-k8s.io], apiVersions: ["*"], operations: [UPDATE], resources: [clusters]}]`

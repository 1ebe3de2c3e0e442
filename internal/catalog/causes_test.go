package catalog

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/capstan-portal/capstan/internal/fail"
)

func TestCausesOfTheWebhookStandAtTheirInputs(t *testing.T) {
	schema := every(t)
	pool := FromVariables(schema, "p7", vars(t, `{"object":{"cidr":"x"},"labels":{"a.b":"x"}}`))
	form := &Form{
		Cluster:            FromVariables(schema, "v", vars(t, `{"peers":[{"name":"A"}],"object":{"cidr":"x","bogus":1},"percent":"10"}`)),
		ControlPlane:       FromVariables(schema, "cp", vars(t, `{"count":11}`)),
		MachineDeployments: []PoolState{{Name: "md-0", State: NewState(schema, "p1")}, {Name: "md-1", State: pool}},
		MachinePools:       []PoolState{{Name: "mp-0", State: pool}},
	}
	const top, md, mp = "spec.topology.", "spec.topology.workers.machineDeployments", "spec.topology.workers.machinePools"
	for name, tc := range map[string]struct{ field, message, want string }{
		"a path of no such form": {top + "variables[peers].value.peers[0].name", `x`, "v.peers peers[0].name: x"},
		"pattern in a row": {
			top + "variables[peers].value[0].name", `Invalid value: "[{\"name\":\"A: \\\"B\\\"\"}]": [0].name in body should match '^[a-z]+$'`,
			"v.peers.~i0.name Must match the pattern ^[a-z]+$",
		},
		"nested": {
			top + "variables[object].value.inner.a.b", `Invalid value: "{}": inner.a.b in body should be at least 1 chars long`,
			"v.object.inner.a~2Eb Must have at least 1 character.",
		},
		"required below":     {top + "variables[object].value.inner", `Required value`, "v.object.inner.a~2Eb This is required."},
		"required variable":  {top + "variables", `Required value: required variable "text" must be set`, "v.text This is required."},
		"required, new":      {top + "variables", `Required value: required variable "fresh" must be set`, top + "variables The class requires fresh now, which this form doesn't show yet. Nothing was created: send the form once more to get its input."},
		"required, inside":   {top + "variables", `Required value: required variable "needed" must be set`, "v.needed.region This is required.\nv.needed.sub.id This is required."},
		"unknown fields":     {top + "variables[object]", `Invalid value: "{\"bogus\":1}": failed validation: "bogus" field(s) are not specified in the variable schema of variable "object"`, "v.object.~rest The class has no field bogus here: remove it."},
		"unknown in a row":   {top + "variables[peers]", `Invalid value: "[{\"name\":\"a\",\"x\":1}]": failed validation: "variableValue[0].x" field(s) are not specified in the variable schema of variable "peers"`, "v.peers.~i0 The class has no field x here: remove it."},
		"a rule's own words": {top + "variables[object].value.mtu", `Invalid value: "{\"mtu\":1}": mtu: jumbo frames is required`, "v.object.mtu mtu: jumbo frames is required"},
		"choices": {
			top + "variables[zone].value", `Unsupported value: "\"q\"": supported values: "a", "", "1"`,
			`v.zone Must be one of: a, "", 1.`,
		},
		"type":            {top + "variables[count].value", `Invalid value: "\"x\"": must be of type integer: "string"`, "v.count Must be a whole number."},
		"control plane":   {top + "controlPlane.variables.overrides[count].value", `Invalid value: "11": should be less than 10`, "cp.count Must be less than 10."},
		"pool by name":    {md + "[md-1].variables.overrides[object].value.cidr", `Invalid value: "{}": cidr in body must be of type cidr: "x"`, "p7.object.cidr Must have the format cidr."},
		"pool by index":   {md + "[1].variables.overrides[labels].value.a.b", `Too long: may not be more than 3 bytes`, "p7.labels.~r0 Must have at most 3 characters."},
		"by index itself": {mp + "[mp-0].variables.overrides[1].value.cidr", `Required value`, "p7.object.cidr This is required."},
		"replicas":        {md + "[md-0].replicas", `Invalid value: -1: must be greater than or equal to 0`, md + "[md-0].replicas must be greater than or equal to 0"},
		"class":           {md + "[1].class", `Invalid value: "x": MachineDeploymentClass with name "x" does not exist`, md + `[1].class MachineDeploymentClass with name "x" does not exist`},
		"no such pool":    {md + "[gone].variables.overrides[x]", `Invalid value: "1": variable is not defined`, md + "[gone].variables.overrides[x] The class defines no such variable."},
		"not topology":    {"metadata.name", `Invalid value: "A": a lowercase RFC 1123 label must consist of lower case`, "metadata.name a lowercase RFC 1123 label must consist of lower case"},
		"forbidden":       {"spec.topology.version", `Forbidden: can't go down`, "spec.topology.version can't go down"},
	} {
		t.Run(name, func(t *testing.T) {
			var faults []fail.Fault
			for _, r := range form.Explain([]metav1.StatusCause{{Field: tc.field, Message: tc.message}}) {
				faults = append(faults, r.Fault)
			}
			if got := said(t, faults); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestLocateSplitsWhatIsNoVariable(t *testing.T) {
	form := &Form{MachineDeployments: []PoolState{{Name: "a"}, {Name: "md-0"}}}
	for path, want := range map[string]Location{
		"spec.topology.workers.machineDeployments[md-0].replicas": {Scope: ScopeMachineDeployment, Pool: 1, Field: "replicas"},
		"spec.topology.workers.machineDeployments[0].class":       {Scope: ScopeMachineDeployment, Pool: 0, Field: "class"},
		"spec.topology.workers.machineDeployments":                {Scope: ScopeMachineDeployment, Pool: -1, Field: ""},
		"spec.topology.controlPlane.replicas":                     {Scope: ScopeControlPlane, Pool: -1, Field: "replicas"},
		"spec.topology.version":                                   {Scope: ScopeCluster, Pool: -1, Field: "version"},
		"metadata.name":                                           {Scope: ScopeCluster, Pool: -1, Field: "metadata.name"},
	} {
		got := form.Locate(path)
		got.state = nil
		if got != want {
			t.Errorf("%s: got %+v, want %+v", path, got, want)
		}
	}
}

package views

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// creations are the page of a class and the form of a new cluster.
func (s *stories) creations() {
	b := catalog.NewBlueprint(storyClass(s.p))
	s.add("class", "catalog", "/catalog/catalog/standard", Class(s.p, ClassInput{Blueprint: b, Users: storySummaries(s.p.Now), MayCreate: true}))
	sick := storyClass(s.p)
	sick.Generation = 9
	sick.Status.Variables[0].DefinitionsConflict = storyYes()
	sick.Status.Variables[1].Definitions[0].From = "discover-labels"
	broken := catalog.NewBlueprint(sick)
	missing := broken.Composition.Templates()[:1]
	s.add("class-sick", "catalog", "/catalog/catalog/standard", Class(s.p, ClassInput{Blueprint: broken.WithMissing(missing), Missing: []ClassTemplate{
		{Kind: missing[0].Kind, Name: missing[0].Name, Failure: fail.New(fail.NotFound, message.New("class.template.missing"))},
	}}))
	s.add("create-choice", "clusters", "/create", CreateChoice(s.p, ChoiceInput{Classes: []catalog.Class{b.Class}, MayCreate: true}))
	s.add("create-nowhere", "clusters", "/create", CreateChoice(s.p, ChoiceInput{Contact: "platform@example.com"}))
	path := "/create/catalog/standard"
	in := storyPreview(storyForm(s.p))
	s.add("create", "clusters", path, Create(s.p, in))
	for _, do := range []string{"set v.network", "add v.network.peers", "add v.labels", "set v.size", "add-pool"} {
		if next, _, _, err := in.Form.Do(b, do); err == nil {
			in.Form = next
		}
	}
	in.Form.Name, in.Hidden, in.Summary = "<em>shop</em>", 0, true
	in.Faults = []fail.Fault{
		{Field: topology.InputName, Text: message.New("create.fault.name")},
		{Field: "v.network.peers.~i0.cidr", Text: message.New("catalog.fault.required")},
	}
	in.Warnings = []string{"this class is deprecated <em>soon</em>"}
	in = storyPreview(in)
	s.add("create-faults", "clusters", path, Create(s.p, in))
	in.Faults, in.Failure = nil, fail.New(fail.Unavailable, message.New("fleet.unreachable"))
	in.Changed = true
	s.add("create-refused", "clusters", path, Create(s.p, in))
}

func storyForm(p Page) CreateInput {
	b := catalog.NewBlueprint(storyClass(p))
	in := CreateInput{Blueprint: b, Namespaces: []string{"team-a", "team-b"}, Classes: []catalog.Class{b.Class}, Hidden: 2}
	in.Form = topology.NewCreateForm(b, "id", "team-a")
	return in
}

func storyPreview(in CreateInput) CreateInput {
	plan, _ := in.Form.Plan(in.Blueprint, topology.CreateLimits{Namespaces: in.Namespaces, Max: topology.DefaultMax})
	in.Preview = in.Form.Preview(in.Blueprint, catalog.NewChecker(in.Blueprint.Schema), plan)
	return in
}

func storyYes() *bool {
	yes := true
	return &yes
}

func storyClass(p Page) *clusterv1.ClusterClass {
	raw := func(s string) *apiextensionsv1.JSON { return &apiextensionsv1.JSON{Raw: []byte(s)} }
	peer := clusterv1.JSONSchemaProps{Type: "object", Required: []string{"cidr"}, Properties: map[string]clusterv1.JSONSchemaProps{
		"cidr": {Type: "string", Format: "cidr"}, "mtu": {Type: "integer", Default: raw("1450")}, "open": {Type: "boolean"},
	}}
	label := clusterv1.JSONSchemaProps{Type: "string"}
	group := clusterv1.VariableSchemaMetadata{Annotations: map[string]string{"ui/group": "Network"}}
	variables := map[string]clusterv1.JSONSchemaProps{
		"network": {Type: "object", Description: "Address ranges <em>of</em> the cluster", Required: []string{"podCIDR"}, XMetadata: group,
			Properties: map[string]clusterv1.JSONSchemaProps{"podCIDR": {Type: "string", Format: "cidr", Example: raw(`"10.244.0.0/16"`)}, "peers": {Type: "array", Items: &peer}}},
		"labels": {Type: "object", AdditionalProperties: &label},
		"region": {Type: "string", Enum: []apiextensionsv1.JSON{*raw(`"eu"`), *raw(`"us"`)}},
		"size":   {Type: "integer", Default: raw("50")},
		"raw":    {XPreserveUnknownFields: storyYes()},
	}
	cc := &clusterv1.ClusterClass{ObjectMeta: metav1.ObjectMeta{Namespace: "catalog", Name: "standard", UID: "u-class", Generation: 3, ResourceVersion: "1", CreationTimestamp: metav1.NewTime(p.Now)}}
	cc.Spec.ControlPlane.TemplateRef = clusterv1.ClusterClassTemplateReference{APIVersion: "controlplane.cluster.x-k8s.io/v1beta2", Kind: "KubeadmControlPlaneTemplate", Name: "standard"}
	cc.Spec.Infrastructure.TemplateRef = clusterv1.ClusterClassTemplateReference{APIVersion: "infrastructure.cluster.x-k8s.io/v1beta2", Kind: "DevClusterTemplate", Name: "standard"}
	cc.Spec.KubernetesVersions = []string{"v1.34.2", "v1.35.0"}
	cc.Spec.Workers.MachineDeployments = []clusterv1.MachineDeploymentClass{{Class: "default-worker"}}
	cc.Status.ObservedGeneration = 3
	cc.Status.Conditions = []metav1.Condition{{Type: clusterv1.ClusterClassVariablesReadyCondition, Status: metav1.ConditionTrue}}
	for _, name := range sortedNames(variables) {
		cc.Status.Variables = append(cc.Status.Variables, clusterv1.ClusterClassStatusVariable{Name: name, Definitions: []clusterv1.ClusterClassStatusVariableDefinition{{
			From: "inline", Required: storyYes(), Schema: clusterv1.VariableSchema{OpenAPIV3Schema: variables[name]}}}})
	}
	return cc
}

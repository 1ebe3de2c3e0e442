package catalog

import (
	"slices"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

func TestWhatAVariableAffects(t *testing.T) {
	e := NewEffects(classFrom(t, "every.yaml"))
	for variable, want := range map[string][3]Answer{ // small, big-gpu, control plane
		"count":     {No, Yes, No},
		"text":      {No, Yes, No},
		"peers":     {No, Yes, No},
		"object":    {No, Yes, Yes},
		"with.dots": {No, Yes, No},
		"name":      {No, No, No}, // inside range the dot is a peer
		"builtin":   {No, No, No},
		"ratio":     {No, No, No},
	} {
		got := [3]Answer{
			e.AffectsPool(variable, "small", WorkerDeployment),
			e.AffectsPool(variable, "big-gpu", WorkerDeployment),
			e.AffectsControlPlane(variable),
		}
		if variable == "with.dots" {
			got = [3]Answer{No, e.AffectsPool("with", "big-gpu", WorkerDeployment), No}
		}
		if got != want {
			t.Errorf("%s: got %v, want %v", variable, got, want)
		}
	}
	uses := e.Uses("object")
	if len(uses) != 2 || uses[0].Path != "object.cidr" || uses[0].How != UseTemplate || uses[0].At != "/spec/template/spec/name" ||
		uses[1].How != UseValue || uses[1].Targets[0].Kind != "KubeadmControlPlaneTemplate" {
		t.Errorf("got %+v", uses)
	}
	if got := e.Uses("text"); len(got) != 1 || got[0].How != UseEnabledIf || got[0].At != "" {
		t.Errorf("got %+v", got)
	}
}

func TestExternalPatchesCanReadAnything(t *testing.T) {
	cc := classFrom(t, "every.yaml")
	cc.Spec.Patches = append(cc.Spec.Patches, clusterv1.ClusterClassPatch{Name: "x", External: &clusterv1.ExternalPatchDefinition{
		GeneratePatchesExtension: "gen", DiscoverVariablesExtension: "disc",
	}})
	cc.Status.Variables = []clusterv1.ClusterClassStatusVariable{{
		Name: "found", Definitions: []clusterv1.ClusterClassStatusVariableDefinition{{From: "x"}},
	}}
	e := NewEffects(cc)
	if got := e.AffectsPool("ratio", "small", WorkerDeployment); got != CannotTell {
		t.Errorf("got %s", got)
	}
	if got := e.AffectsPool("count", "big-gpu", WorkerDeployment); got != Yes {
		t.Errorf("got %s", got)
	}
	if x := e.External(); len(x) != 1 || !slices.Equal(x[0].DiscoveredVariables, []string{"found"}) {
		t.Errorf("got %+v", x)
	}
}

func TestVariablesInTemplates(t *testing.T) {
	for source, want := range map[string]struct {
		paths  []string
		opaque bool
	}{
		`{{ .a }}-{{ .b.c | quote }}`:                                   {[]string{"a", "b.c"}, false},
		`{{ if and .a (eq .b "x") }}{{ .c }}{{ else }}{{.d}}{{end}}`:    {[]string{"a", "b", "c", "d"}, false},
		`{{ range .list }}{{ .x }}{{ $.y }}{{ else }}{{ .z }}{{ end }}`: {[]string{"list", "y", "z"}, false},
		`{{ with .a }}{{ . }}{{ end }}`:                                 {[]string{"a"}, false},
		`{{ $v := .a }}{{ $v.x }}`:                                      {[]string{"a"}, false},
		`{{ index $ "od.d" }}{{ (index .m 0).x }}`:                      {[]string{"od.d", "m"}, false},
		`{{ toJson . }}`:                                                {nil, true},
		`{{ define "t" }}{{ .x }}{{ end }}{{ template "t" .a }}`:        {[]string{"a"}, false},
		`{{ broken`: {nil, true},
		`plain`:     {nil, false},
	} {
		got := templateRefs(source)
		if !slices.Equal(got.paths, want.paths) || got.opaque != want.opaque {
			t.Errorf("%s: got %+v, want %+v", source, got, want)
		}
	}
}

package web

import (
	"net/http"
	"strings"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

func TestClassPage(t *testing.T) {
	p := startCreate(t)
	a := p.get("/catalog/catalog/rich")
	if a.status != http.StatusOK || a.find(t, "#class-vars tbody tr").Length() < 4 || a.find(t, `a[href="`+createPath+`"]`).Length() != 1 {
		t.Errorf("got %d: %s", a.status, a.find(t, "main").Text())
	}
	if strings.Contains(a.body, "<em>where") {
		t.Error("a description is not escaped")
	}
	p.fleet.do(func() { p.fleet.readers = nil })
	if a := p.get("/catalog/catalog/rich"); a.status != http.StatusNotFound {
		t.Errorf("without the right: %d", a.status)
	}
}

func TestClassPageUnfoldsATemplate(t *testing.T) {
	p := startCreate(t)
	cc := richClass()
	cc.Spec.ControlPlane.TemplateRef = clusterv1.ClusterClassTemplateReference{
		APIVersion: "controlplane.cluster.x-k8s.io/v1beta2", Kind: "KubeadmControlPlaneTemplate", Name: "cp"}
	p.fleet.do(func() {
		p.fleet.blueprints[topology.Ref{Namespace: "catalog", Name: "rich"}] = catalog.NewBlueprint(cc)
	})
	link := p.get("/catalog/catalog/rich").find(t, `#class-parts a[aria-expanded="false"]`)
	path, _, _ := strings.Cut(link.AttrOr("href", ""), "#")
	a := p.get(path)
	if got := a.find(t, "#class-parts pre").Text(); !strings.Contains(got, "secret: <none>") || len(p.fleet.templates) != 1 {
		t.Errorf("%s shows %q after %d reads", path, got, len(p.fleet.templates))
	}
	p.fleet.do(func() { p.fleet.refusal = fail.New(fail.Forbidden, message.New("fleet.forbidden")) })
	if a := p.get(path); a.status != http.StatusOK || a.find(t, "#class-parts pre").Length() != 0 {
		t.Errorf("without the right: %d", a.status)
	}
	p.get("/catalog/catalog/rich?kind=Secret&template=admin")
	if len(p.fleet.templates) != 2 {
		t.Error("something was read that the class doesn't refer to")
	}
}

package web

import (
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

func TestCatalogueIsLive(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	o := p.open("/catalog")
	if f := o.next(); !f.Whole || strings.Join(f.Order, " ") != "class-c1 class-c2" {
		t.Fatalf("got %+v", f)
	}
	p.fleet.do(func() {
		p.fleet.classes = append([]catalog.Class{}, p.fleet.classes...)
		p.fleet.classes[1].Unusable = true
	})
	if f := o.next(); !strings.Contains(f.HTML, `id="class-c2"`) || strings.Contains(f.HTML, `id="class-c1"`) {
		t.Errorf("sent %s", f.HTML)
	}
	p.fleet.do(func() { p.fleet.classes = p.fleet.classes[:1] })
	if f := o.next(); len(f.Gone) != 1 || f.Gone[0] != "class-c2" || !strings.Contains(f.HTML, `id="count"`) {
		t.Errorf("got %+v", f)
	}
}

func TestWhatAClassIsForIsSaid(t *testing.T) {
	p := startCreate(t)
	p.fleet.do(func() { p.fleet.classes[0].Description = "For <em>most</em> teams" })
	for path, in := range map[string]string{"/catalog": "#class-c1", "/catalog?q=TEAMS+most": "#class-c1", "/create": "main li"} {
		a := p.get(path)
		if !strings.Contains(a.find(t, in).Text(), "For <em>most</em> teams") {
			t.Errorf("%s doesn't say what the class is for", path)
		}
	}
}

// A class that refers to a template that isn't there says which one.
func TestMissingTemplateIsNamed(t *testing.T) {
	p := startCreate(t)
	cc := richClass()
	cc.Spec.ControlPlane.TemplateRef = clusterv1.ClusterClassTemplateReference{
		APIVersion: "controlplane.cluster.x-k8s.io/v1beta2", Kind: "KubeadmControlPlaneTemplate", Name: "gone"}
	ref := topology.Ref{Namespace: "catalog", Name: "rich"}
	p.fleet.do(func() {
		p.fleet.blueprints[ref] = catalog.NewBlueprint(cc)
		p.fleet.refusal = fail.New(fail.NotFound, message.New("fleet.gone"))
	})
	if p.get("/catalog/catalog/rich"); len(p.fleet.templates) != 0 {
		t.Error("templates are read though the class says that they are well")
	}
	cc.Status.Conditions = append(cc.Status.Conditions, metav1.Condition{Type: clusterv1.ClusterClassRefVersionsUpToDateCondition, Status: metav1.ConditionUnknown})
	p.fleet.do(func() { p.fleet.blueprints[ref] = catalog.NewBlueprint(cc) })
	a := p.get("/catalog/catalog/rich")
	if said := a.find(t, "#class-health").Text(); a.status != http.StatusOK || !strings.Contains(said, "KubeadmControlPlaneTemplate gone doesn't exist") {
		t.Errorf("got %d, said %q", a.status, said)
	}
	if !strings.Contains(a.find(t, "#class-parts").Text(), "doesn't exist") {
		t.Error("the template's row doesn't say it")
	}
	p.fleet.do(func() { p.fleet.refusal = fail.New(fail.Forbidden, message.New("fleet.forbidden")) })
	if said := p.get("/catalog/catalog/rich").find(t, "#class-health").Text(); strings.Contains(said, "exist") {
		t.Errorf("something is said about what may not be read: %q", said)
	}
}

// An open page doesn't read templates with every change of a cluster.
func TestOpenClassPageReadsTemplatesSeldom(t *testing.T) {
	p := startCreate(t)
	cc := richClass()
	cc.Spec.ControlPlane.TemplateRef = clusterv1.ClusterClassTemplateReference{
		APIVersion: "controlplane.cluster.x-k8s.io/v1beta2", Kind: "KubeadmControlPlaneTemplate", Name: "cp"}
	p.fleet.do(func() {
		p.fleet.blueprints[topology.Ref{Namespace: "catalog", Name: "rich"}] = catalog.NewBlueprint(cc)
	})
	o := p.open("/catalog/catalog/rich?kind=KubeadmControlPlaneTemplate&template=cp")
	o.next()
	for _, version := range []string{"v1", "v2"} {
		p.fleet.change("one", func(c *topology.Cluster) { c.Class.Name, c.Version = "rich", version })
		if f := o.next(); !strings.Contains(f.HTML, version) {
			t.Fatalf("got %+v", f)
		}
	}
	p.fleet.do(func() {
		if len(p.fleet.templates) != 1 {
			t.Errorf("read %d times", len(p.fleet.templates))
		}
	})
}

func TestRightsAreLive(t *testing.T) {
	p := start(t, "", nil)
	p.signIn()
	if f := p.open("/me").next(); !f.Whole || !strings.Contains(f.HTML, `id="me-rights"`) {
		t.Errorf("got %+v", f)
	}
}

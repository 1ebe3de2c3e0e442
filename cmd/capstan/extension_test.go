//go:build sandbox

package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fleet"
	"github.com/capstan-portal/capstan/internal/testkit"
	"github.com/capstan-portal/capstan/internal/topology"
)

// discovering is a class with one variable of its own and a patch that asks a
// runtime extension for more; its machines never come.
const discovering = `apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: NAME, namespace: NAMESPACE}
spec:
  controlPlane:
    templateRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlaneTemplate, name: quick}
    machineInfrastructure:
      templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: DevMachineTemplate, name: never}
  infrastructure:
    templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: DevClusterTemplate, name: quick}
  kubernetesVersions: [v1.34.2]
  variables:
    - VARIABLE
  patches:
    - name: outside
      external:
        discoverVariablesExtension: discover-variables.EXTENSION
        generatePatchesExtension: generate-patches.EXTENSION
        validateTopologyExtension: validate-topology.EXTENSION`

// extended is a world with classes whose variables come from a runtime
// extension too: all is well with one, one contradicts the extension, and the
// extension of one isn't there.
type extended struct {
	*testkit.World
	t      *testing.T
	site   *site
	client *http.Client
}

// newExtended needs a sandbox with Cluster API's own test extension. A label
// brings it into the namespace, and leaves before the clusters do: its hooks
// would hold up their deletion.
func newExtended(t *testing.T) *extended {
	t.Helper()
	w := testkit.NewWorld(t, testkit.SharedSandbox(t))
	configs := schema.GroupVersionResource{Group: "runtime.cluster.x-k8s.io", Version: "v1beta2", Resource: "extensionconfigs"}
	if _, err := w.Client.Resource(configs).Get(t.Context(), "test-extension", metav1.GetOptions{}); err != nil {
		t.Fatalf("this test needs `sandbox up --extension`, as `make test` has it: %v", err)
	}
	const namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: NAMESPACE"
	w.Apply(namespace + `, labels: {sandbox.capstan.dev/test-extension: "true"}}`)
	t.Cleanup(func() { w.Apply(namespace + "}") })
	w.Grant(teamA, team)
	w.Apply(class("discovered", "test-extension", "{name: region, required: true, schema: {openAPIV3Schema: {type: string, enum: [north, south]}}}"))
	w.Apply(class("conflicting", "test-extension", "{name: imageRepository, required: true, schema: {openAPIV3Schema: {type: string, maxLength: 20}}}"))
	w.Apply(class("silent", "not-there", "{name: region, required: true, schema: {openAPIV3Schema: {type: string}}}"))
	return &extended{World: w, t: t}
}

func class(name, extension, variable string) string {
	return strings.NewReplacer("NAMESPACE", "NAMESPACE", "NAME", name, "EXTENSION", extension, "VARIABLE", variable).Replace(discovering)
}

// page reads a page of the portal as the person.
func (x *extended) page(path string) (int, string) {
	x.t.Helper()
	resp, err := x.client.Get(x.site.URL + path)
	if err != nil {
		x.t.Fatal(err)
	}
	return x.read(resp)
}

func (x *extended) read(resp *http.Response) (int, string) {
	x.t.Helper()
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		x.t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// class waits until a class's page holds words in one of its elements, and gives
// the page.
func (x *extended) class(t *testing.T, name, selector, words string) *goquery.Selection {
	t.Helper()
	var main *goquery.Selection
	eventually(t, "the page of class "+name+" says "+words, func() bool {
		_, body := x.page("/catalog/" + x.Namespace + "/" + name)
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		main = doc.Find("main")
		return strings.Contains(main.Find(selector).Text(), words)
	})
	return main
}

// form is the form of a new cluster of a class, with its settings filled in.
func (x *extended) form(t *testing.T, class, name string) *testkit.HTMLForm {
	t.Helper()
	path := "/create/" + x.Namespace + "/" + class
	status, body := x.page(path + "?namespace=" + x.Namespace)
	f := testkit.ReadForm(t, "#create", status, body, func(values url.Values) (int, string) {
		resp, err := x.client.PostForm(x.site.URL+path, values)
		if err != nil {
			t.Fatal(err)
		}
		return x.read(resp)
	})
	f.Type("name", name)
	f.Type("cp", "1")
	return f
}

// says fails unless an element of the form's last answer holds all words.
func says(t *testing.T, f *testkit.HTMLForm, selector string, words ...string) {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(f.Body))
	if err != nil {
		t.Fatal(err)
	}
	holds(t, doc.Selection, selector, words...)
}

func holds(t *testing.T, s *goquery.Selection, selector string, words ...string) {
	t.Helper()
	text := strings.Join(strings.Fields(s.Find(selector).Text()), " ")
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%s doesn't say %q: %q", selector, w, text)
		}
	}
}

// Variables that a runtime extension discovers are documented, asked for and
// checked like any others; where the discovery contradicts the class or fails,
// people are told what that means. The extension, the controllers and the
// webhooks are Cluster API's own.
func TestDiscoveredVariables(t *testing.T) {
	t.Parallel()
	x := newExtended(t)
	x.site = sharedPortal(t)
	x.client = signedIn(t, x.site, "team-a-dev")
	t.Run("class", x.discovered)
	t.Run("form", x.created)
	t.Run("refusal", x.refused)
	t.Run("conflict", x.conflict)
	t.Run("no extension", x.silent)
}

func (x *extended) discovered(t *testing.T) {
	page := x.class(t, "discovered", "#class-vars", "imageRepository")
	holds(t, page, "#var-region", "required", "Defined by the class itself")
	holds(t, page, "#var-imageRepository", "required", "Defined by the patch outside", "string", `"kindest"`,
		"Gets set at DevCluster", "Infrastructure: can't tell", "Control plane: can't tell")
	holds(t, page, "#var-files", "Defined by the patch outside", "list of object")
	holds(t, page, "#var-kubeadmControlPlaneMaxSurge", `""`, "maximum number of control planes", "just a test expression")
	holds(t, page, "#class-vars", "6, 2 required", "Runtime extensions write patches here (outside)", "contentFormat")
	holds(t, page, "#class-health", "All is well")
}

func (x *extended) created(t *testing.T) {
	f := x.form(t, "discovered", "made")
	if !f.Has("v.imageRepository") || f.Value("v.imageRepository") != "" || !f.Offers("set v.kubeadmControlPlaneMaxSurge") || !f.Offers("add v.files") {
		t.Fatal("the form doesn't ask for what was discovered")
	}
	says(t, f, "#create", "imageRepositoryrequired", `Not set, the default is ""`)
	f.Choose("v.region", `"north"`)
	f.Press("preview")
	if f.Status != http.StatusUnprocessableEntity {
		t.Errorf("without a required variable: %d", f.Status)
	}
	says(t, f, "#problems", "imageRepository: This is required.")
	f.Type("v.imageRepository", "kindest")
	f.Press("yaml v.files")
	f.Type("v.files.~yaml", `[{path: 5, owner: root}]`)
	f.Press("preview")
	says(t, f, "#problems", "[0].path: Must be text.", "The class has no field [0].owner here")
	f.Type("v.files.~yaml", `[{path: /etc/motd, content: hello}]`)
	f.Press("preview")
	if f.Status != http.StatusOK {
		t.Errorf("right values: %d", f.Status)
	}
	says(t, f, "aside", "Admission accepts it (dry run)")
	values := f.Values()
	values.Set("do", "create")
	resp, err := x.client.PostForm(x.site.URL+"/create/"+x.Namespace+"/discovered", values)
	if err != nil {
		t.Fatal(err)
	}
	if _, body := x.read(resp); !strings.HasSuffix(resp.Request.URL.Path, "/made") {
		t.Fatalf("creating leads to %s: %s", resp.Request.URL, body)
	}
	x.Until("the extension's patches are in the control plane", func(context.Context) bool {
		return slices.ContainsFunc(x.List("KubeadmControlPlane", ""), func(cp unstructured.Unstructured) bool {
			return cp.GetLabels()["top-level-label-1"] != ""
		})
	})
}

// refused asks the webhook past the form's own checks: what it says about a
// discovered variable stands at the variable's input.
func (x *extended) refused(t *testing.T) {
	f, err := fleet.Connect(t.Context(), fleet.Config{Kubeconfig: x.PortalKubeconfig}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	person := auth.User{Name: "oidc:team-a-dev", Groups: []string{teamA}}
	from := topology.Ref{Namespace: x.Namespace, Name: "discovered"}
	var b catalog.Blueprint
	eventually(t, "the class is seen", func() bool {
		b, err = f.Class(t.Context(), person, from)
		return err == nil && b.Ready
	})
	value := func(name, json string) clusterv1.ClusterVariable {
		return clusterv1.ClusterVariable{Name: name, Value: apiextensionsv1.JSON{Raw: []byte(json)}}
	}
	one := 1
	for want, variables := range map[string][]clusterv1.ClusterVariable{
		"v.imageRepository":                      {value("region", `"north"`)},
		"v.files.~i0.path":                       {value("region", `"north"`), value("imageRepository", `"kindest"`), value("files", `[{"path":5}]`)},
		"v.preKubeadmCommands.~i0":               {value("region", `"north"`), value("imageRepository", `"kindest"`), value("preKubeadmCommands", `[5]`)},
		"v.kubeadmControlPlaneMaxSurge":          {value("region", `"north"`), value("imageRepository", `"kindest"`), value("kubeadmControlPlaneMaxSurge", `1`)},
		"v.kubeadmConfigTemplateAnnotations.~r0": {value("region", `"north"`), value("imageRepository", `"kindest"`), value("kubeadmConfigTemplateAnnotations", `{"a":1}`)},
	} {
		form := topology.NewCreateForm(b, "form", x.Namespace)
		form.Variables = catalog.FromVariables(b.Schema, form.Variables.Prefix, variables)
		_, err := f.Create(t.Context(), person, topology.Plan{
			Ref: topology.Ref{Namespace: x.Namespace, Name: "refused"}, Form: "form", Class: from, Version: "v1.34.2", ControlPlane: &one, Variables: variables,
		}, true)
		if faults := form.Explain(err); len(faults) != 1 || strings.TrimSuffix(faults[0].Field, ".~yaml") != want {
			t.Errorf("a fault of %s stands at %+v: %v", want, faults, err)
		}
	}
}

func (x *extended) conflict(t *testing.T) {
	page := x.class(t, "conflicting", "#class-health", "The variable imageRepository is defined in conflicting ways.")
	holds(t, page, "#class-health", "No cluster of this class is built or changed until its owner mends that.", "conflicting schemas: imageRepository")
	if n := page.Find("#class-health p.font-semibold").Length(); n != 1 {
		t.Errorf("one conflict is told as %d problems", n)
	}
	holds(t, page, "#class-head", "Not usable")
	holds(t, page, "#class-vars", "imageRepository required in conflict Defined by the class itself", "imageRepository required in conflict Defined by the patch outside")
	if page.Find(`#class-head a[href*="/create/"]`).Length() != 0 {
		t.Error("a class that nothing can be built from is offered")
	}
	f := x.form(t, "conflicting", "clash")
	f.Type("v.imageRepository", "kindest")
	f.Press("create")
	if f.Status != http.StatusUnprocessableEntity || strings.Contains(f.Body, "Admission accepts it") {
		t.Errorf("it is not refused: %d", f.Status)
	}
	says(t, f, `#problems a[href="#v.imageRepository"]`, "The class defines imageRepository in conflicting ways.")
}

// silent: the class names an extension that nobody runs. Admission lets any
// Cluster of it pass, and nothing is built.
func (x *extended) silent(t *testing.T) {
	page := x.class(t, "silent", "#class-health", "The variables of the class could not be determined.")
	holds(t, page, "#class-health", "Some may be missing or outdated here.", "neither builds nor changes any", `"discover-variables.not-there" has not been registered`)
	holds(t, page, "#class-vars", "1, 1 required")
	f := x.form(t, "silent", "mute")
	says(t, f, ".note", "The variables of the class could not be determined.")
	f.Type("v.region", "north")
	f.Press("preview")
	says(t, f, "aside", "hasn't been successfully reconciled")
}

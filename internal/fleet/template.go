package fleet

import (
	"context"
	"encoding/json"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/capstan-portal/capstan/internal/auth"
	"github.com/capstan-portal/capstan/internal/catalog"
	"github.com/capstan-portal/capstan/internal/fail"
	"github.com/capstan-portal/capstan/internal/message"
	"github.com/capstan-portal/capstan/internal/topology"
)

// Template reads one template of a class as YAML, live and as the person. Kinds
// of the core group, Secrets above all, are never read: no template is one.
func (f *Fleet) Template(ctx context.Context, u auth.User, class topology.Ref, t catalog.Target) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	gv, err := schema.ParseGroupVersion(t.APIVersion)
	if err != nil || gv.Group == "" {
		return "", noTemplate(t)
	}
	mapping, err := f.cache.controlPlanes.mapper.RESTMapping(schema.GroupKind{Group: gv.Group, Kind: t.Kind}, gv.Version)
	if meta.IsNoMatchError(err) {
		return "", fail.Wrap(err, fail.NotFound, message.New("class.template.kind", message.Str("kind", t.Kind)))
	}
	if err != nil {
		return "", asFailure(err)
	}
	rc, err := f.clients.as(u, mapping.Resource.GroupVersion())
	if err != nil {
		return "", err
	}
	raw, err := rc.Get().Namespace(class.Namespace).Resource(mapping.Resource.Resource).Name(t.Name).MaxRetries(0).DoRaw(ctx)
	if err != nil {
		return "", asFailure(err)
	}
	return templateText(raw)
}

func noTemplate(t catalog.Target) error {
	return fail.New(fail.NotFound, message.New("class.template.kind", message.Str("kind", t.Kind)))
}

// templateText is an object as YAML, without what only the API server cares for.
func templateText(raw []byte) (string, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return "", asFailure(err)
	}
	var metadata map[string]json.RawMessage
	if json.Unmarshal(object["metadata"], &metadata) == nil {
		delete(metadata, "managedFields")
		if kept, err := json.Marshal(metadata); err == nil {
			object["metadata"] = kept
		}
	}
	kept, err := json.Marshal(object)
	if err != nil {
		return "", asFailure(err)
	}
	text, err := yaml.JSONToYAML(kept)
	if err != nil {
		return "", asFailure(err)
	}
	return string(text), nil
}

// Package apply brings YAML into a cluster, the way kubectl apply would, and
// waits for what controllers make of it.
package apply

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	yamlreader "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Documents parses a stream of YAML documents into objects. name is used in
// errors only.
func Documents(name string, content []byte) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	reader := yamlreader.NewYAMLReader(bufio.NewReader(bytes.NewReader(content)))
	for n := 1; ; n++ {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s can't be read: %w", name, err)
		}
		fields := map[string]any{}
		if err := yaml.Unmarshal(document, &fields); err != nil {
			return nil, fmt.Errorf("document %d of %s is no YAML object: %w", n, name, err)
		}
		if len(fields) == 0 {
			continue
		}
		object := &unstructured.Unstructured{Object: fields}
		if object.GetKind() == "" || object.GetAPIVersion() == "" || object.GetName() == "" {
			return nil, fmt.Errorf("document %d of %s needs apiVersion, kind and metadata.name", n, name)
		}
		objects = append(objects, object)
	}
}

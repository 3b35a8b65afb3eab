//go:build ignore

// Writes src/policy/kyverno/mutate/merge-keys.generated.json: the lists of built-in kinds that kustomize merges, with
// their keys.
// In a scratch module that requires sigs.k8s.io/kustomize/kyaml v0.21.1: go run kyverno-merge-keys.go > merge-keys.generated.json
package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

type field struct {
	target string
	merges bool
	keys   []string
}

// target returns the type of a field, of the items of a list or of the values of a map.
func target(schema *spec.Schema) string {
	for _, candidate := range []*spec.Schema{schema, items(schema), values(schema)} {
		if candidate != nil && candidate.Ref.String() != "" {
			return strings.TrimPrefix(candidate.Ref.String(), "#/definitions/")
		}
	}
	return ""
}

func items(schema *spec.Schema) *spec.Schema {
	if schema.Items == nil {
		return nil
	}
	return schema.Items.Schema
}

func values(schema *spec.Schema) *spec.Schema {
	if schema.AdditionalProperties == nil {
		return nil
	}
	return schema.AdditionalProperties.Schema
}

func short(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "io.k8s."), "api."), "apimachinery.pkg.apis.")
}

func main() {
	types := map[string]map[string]field{}
	kinds := map[string]string{}
	for name, definition := range openapi.Schema().Definitions {
		fields := map[string]field{}
		for property, schema := range definition.Properties {
			resource := openapi.ResourceSchema{Schema: &schema}
			strategy, keys := resource.PatchStrategyAndKeyList()
			fields[property] = field{target(&schema), slices.Contains(strings.Split(strategy, ","), "merge"), keys}
		}
		types[name] = fields
		listed, _ := definition.Extensions["x-kubernetes-group-version-kind"].([]interface{})
		for _, each := range listed {
			kind := each.(map[string]interface{})
			apiVersion := strings.TrimPrefix(kind["group"].(string)+"/"+kind["version"].(string), "/")
			kinds[apiVersion+"/"+kind["kind"].(string)] = name
		}
	}
	holds := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for name, fields := range types {
			for _, field := range fields {
				if !holds[name] && (field.merges || holds[field.target]) {
					holds[name], changed = true, true
				}
			}
		}
	}
	written := map[string]map[string]string{}
	for name, fields := range types {
		if !holds[name] {
			continue
		}
		entries := map[string]string{}
		for property, field := range fields {
			text := ""
			if holds[field.target] {
				text = short(field.target)
			}
			if field.merges {
				text += "!" + strings.Join(field.keys, ",")
			}
			if text != "" {
				entries[property] = text
			}
		}
		written[short(name)] = entries
	}
	writtenKinds := map[string]string{}
	for kind, name := range kinds {
		if holds[name] {
			writtenKinds[kind] = short(name)
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	_ = encoder.Encode(map[string]interface{}{
		"generatedBy": "go run scripts/kyverno-merge-keys.go",
		"kinds":       writtenKinds,
		"types":       written,
	})
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// openAPIFolder holds the schemas for type checks of policies, one file per group and version.
const openAPIFolder = "PREADMIT_OPENAPI"

// answerTypeCheck returns the content of status.typeChecking of a policy.
func answerTypeCheck(asked []byte) ([]answerField, error) {
	var line struct {
		Policy admissionregistration.ValidatingAdmissionPolicy `json:"policy"`
	}
	if err := json.Unmarshal(asked, &line); err != nil {
		return nil, err
	}
	published, err := publishedKinds()
	if err != nil {
		return nil, err
	}
	checker := &validating.TypeChecker{SchemaResolver: published, RestMapper: published.mapper}
	warnings := []any{}
	for _, each := range checker.Check(&line.Policy) {
		warnings = append(warnings, struct {
			FieldRef string `json:"fieldRef"`
			Warning  string `json:"warning"`
		}{each.FieldRef, published.mask(each.Warning)})
	}
	return []answerField{{"expressionWarnings", warnings}}, nil
}

// publications holds OpenAPI documents and their kinds.
type publications struct {
	components map[schema.GroupVersion]map[string]*spec.Schema
	names      map[schema.GroupVersionKind]string
	mapper     *meta.DefaultRESTMapper
	generated  *regexp.Regexp
}

var publishedKinds = sync.OnceValues(readPublishedKinds)

func readPublishedKinds() (*publications, error) {
	files, err := filepath.Glob(filepath.Join(os.Getenv(openAPIFolder), "*_openapi.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s names no folder of OpenAPI documents (%v)", openAPIFolder, err)
	}
	published := &publications{
		components: map[schema.GroupVersion]map[string]*spec.Schema{},
		names:      map[schema.GroupVersionKind]string{},
		mapper:     meta.NewDefaultRESTMapper(nil),
	}
	var kinds []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var document struct {
			Components struct {
				Schemas map[string]*spec.Schema `json:"schemas"`
			} `json:"components"`
		}
		if err := json.Unmarshal(text, &document); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		groupVersion, err := groupVersionOf(file)
		if err != nil {
			return nil, err
		}
		for _, name := range sortedKeys(document.Components.Schemas) {
			var gvks []schema.GroupVersionKind
			if err := document.Components.Schemas[name].Extensions.GetObject("x-kubernetes-group-version-kind", &gvks); err != nil {
				return nil, err
			}
			for _, gvk := range gvks {
				// Every document has DeleteOptions of all groups; only its own kinds are used.
				if gvk.GroupVersion() != groupVersion {
					continue
				}
				published.components[gvk.GroupVersion()] = document.Components.Schemas
				published.names[gvk] = name
				published.mapper.Add(gvk, meta.RESTScopeNamespace)
				kinds = append(kinds, gvk.Kind)
			}
		}
	}
	published.generated = regexp.MustCompile(`\b(` + strings.Join(kinds, "|") + `)\d+\b`)
	return published, nil
}

// groupVersionOf reads api__v1_openapi.json as v1 and apis__apps__v1_openapi.json as apps/v1.
func groupVersionOf(file string) (schema.GroupVersion, error) {
	name := strings.TrimSuffix(filepath.Base(file), "_openapi.json")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "apis__"), "api__")
	return schema.ParseGroupVersion(strings.Replace(name, "__", "/", 1))
}

func (p *publications) ResolveSchema(gvk schema.GroupVersionKind) (*spec.Schema, error) {
	name, found := p.names[gvk]
	if !found {
		return nil, fmt.Errorf("cannot resolve group version kind %q: %w", gvk, resolver.ErrSchemaNotFound)
	}
	return resolver.PopulateRefs(func(ref string) (*spec.Schema, bool) {
		found, ok := p.components[gvk.GroupVersion()][strings.TrimPrefix(ref, "#/components/schemas/")]
		return found, ok
	}, name)
}

// mask removes the nanoseconds from the server's type names.
func (p *publications) mask(warning string) string {
	return p.generated.ReplaceAllString(warning, "$1<n>")
}

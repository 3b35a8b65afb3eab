package main

import (
	"context"
	"maps"
	"regexp"
	"slices"

	"helm.sh/helm/v3/pkg/chart"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// lookups answers `lookup`: either every object is missing, or every object exists.
type lookups struct {
	finds bool
	// Keys of the data of every object that is found, so that templates find the key that they read.
	keys []string
	// True after the first call of `lookup`.
	asked bool
}

func (answers *lookups) GetClientFor(apiVersion, kind string) (dynamic.NamespaceableResourceInterface, bool, error) {
	answers.asked = true
	return &lookup{answers: answers, kind: schema.FromAPIVersionAndKind(apiVersion, kind)}, true, nil
}

// foundValue is base64, like the data of a Secret.
const foundValue = "Zm91bmQ="

const mostKeys = 2000

var templateWord = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_.-]*`)

// wordsOf returns the words of all templates: the names of all keys that a template may read.
func wordsOf(loaded *chart.Chart) []string {
	words := map[string]bool{}
	var visit func(part *chart.Chart)
	visit = func(part *chart.Chart) {
		for _, file := range part.Templates {
			for _, word := range templateWord.FindAll(file.Data, -1) {
				if len(words) < mostKeys {
					words[string(word)] = true
				}
			}
		}
		for _, dependency := range part.Dependencies() {
			visit(dependency)
		}
	}
	visit(loaded)
	return slices.Sorted(maps.Keys(words))
}

// lookup finds objects of one kind.
type lookup struct {
	answers   *lookups
	kind      schema.GroupVersionKind
	namespace string
}

func (asked *lookup) Namespace(namespace string) dynamic.ResourceInterface {
	return &lookup{answers: asked.answers, kind: asked.kind, namespace: namespace}
}

func (asked *lookup) Get(_ context.Context, name string, _ metav1.GetOptions, _ ...string) (*unstructured.Unstructured, error) {
	if !asked.answers.finds {
		return nil, apierrors.NewNotFound(schema.GroupResource{Group: asked.kind.Group, Resource: asked.kind.Kind}, name)
	}
	return asked.object(name), nil
}

func (asked *lookup) List(context.Context, metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	if !asked.answers.finds {
		// `helm template` does the same for a list.
		return nil, apierrors.NewNotFound(schema.GroupResource{Group: asked.kind.Group, Resource: asked.kind.Kind}, "")
	}
	list := &unstructured.UnstructuredList{Object: map[string]any{}}
	list.SetAPIVersion(asked.kind.GroupVersion().String())
	list.SetKind(asked.kind.Kind + "List")
	list.Items = []unstructured.Unstructured{*asked.object("found")}
	return list, nil
}

func (asked *lookup) object(name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{}}
	object.SetAPIVersion(asked.kind.GroupVersion().String())
	object.SetKind(asked.kind.Kind)
	object.SetName(name)
	if asked.namespace != "" {
		object.SetNamespace(asked.namespace)
	}
	if len(asked.answers.keys) > 0 {
		data := map[string]any{}
		for _, key := range asked.answers.keys {
			data[key] = foundValue
		}
		object.Object["data"] = data
	}
	return object
}

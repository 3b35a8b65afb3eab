package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// lookups answers `lookup`: either every object is missing, or every object exists without content.
type lookups struct {
	finds bool
	// True after the first call of `lookup`.
	asked bool
}

func (answers *lookups) GetClientFor(apiVersion, kind string) (dynamic.NamespaceableResourceInterface, bool, error) {
	answers.asked = true
	return &lookup{answers: answers, kind: schema.FromAPIVersionAndKind(apiVersion, kind)}, true, nil
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
	return object
}

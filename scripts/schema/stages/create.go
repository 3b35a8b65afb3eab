package main

import (
	"context"

	customresourcedefinition "k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kube-aggregator/pkg/registry/apiservice"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"preadmit.scratch/strategies"
)

const namespace = "test"

// create follows registry/rest/create.go between mutating and validating admission, without validation and generated
// system fields.
// Returns nil for kinds that are not stored.
func create(object runtime.Object, kind schema.GroupVersionKind) runtime.Object {
	strategy := strategyFor(kind.GroupKind())
	if strategy == nil {
		return nil
	}
	metadata, err := meta.Accessor(object)
	if err != nil {
		panic(err)
	}
	rest.WipeObjectMetaSystemFields(metadata)
	metadata.SetManagedFields(nil)
	ctx := request.WithUser(context.Background(), &user.DefaultInfo{Name: "user"})
	ctx = request.WithRequestInfo(ctx, &request.RequestInfo{
		IsResourceRequest: true, Verb: "create", APIGroup: kind.Group, APIVersion: kind.Version,
	})
	objectNamespace := ""
	if strategy.NamespaceScoped() {
		objectNamespace = namespace
	}
	ctx = request.WithNamespace(ctx, objectNamespace)
	metadata.SetNamespace(objectNamespace)
	if metadata.GetName() == "" && metadata.GetGenerateName() != "" {
		metadata.SetName(metadata.GetGenerateName() + "xxxxx")
	}
	strategy.PrepareForCreate(ctx, object)
	strategy.Canonicalize(object)
	return object
}

func strategyFor(kind schema.GroupKind) rest.RESTCreateStrategy {
	switch kind {
	case schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}:
		return customresourcedefinition.NewStrategy(legacyscheme.Scheme)
	case schema.GroupKind{Group: "apiregistration.k8s.io", Kind: "APIService"}:
		return apiservice.NewStrategy(legacyscheme.Scheme)
	case schema.GroupKind{Group: "events.k8s.io", Kind: "Event"}:
		return strategies.ByKind[schema.GroupKind{Kind: "Event"}]
	}
	return strategies.ByKind[kind]
}

package main

import (
	"context"
	"encoding/json"
	"regexp"
	"sort"
	"strings"
	_ "unsafe"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	definitionvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
)

const namespace = "default"

var widget = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

type definitionLine struct {
	Definition struct {
		Schema       json.RawMessage `json:"schema"`
		Scope        string          `json:"scope"`
		Subresources json.RawMessage `json:"subresources"`
	} `json:"definition"`
	Before   json.RawMessage `json:"before"`
	Object   json.RawMessage `json:"object"`
	AnyOrder bool            `json:"anyOrder"`
}

// answerDefinition returns the server's answer to a definition, and to an object created or updated under it.
func answerDefinition(asked []byte) ([]answerField, error) {
	var line definitionLine
	if err := json.Unmarshal(asked, &line); err != nil {
		return nil, err
	}
	internal, err := decodeDefinition(line)
	if err != nil {
		return nil, err
	}
	if errs := definitionvalidation.ValidateCustomResourceDefinition(context.Background(), internal); len(errs) > 0 {
		var texts []string
		for _, err := range errs {
			texts = append(texts, maskTypes(err.Error()))
		}
		if line.AnyOrder {
			sort.Strings(texts)
		}
		return []answerField{{"definitionErrors", texts}}, nil
	}
	if line.Object == nil {
		return nil, nil
	}
	served, err := serve(internal)
	if err != nil {
		return nil, err
	}
	return served.answer(line)
}

func decodeDefinition(line definitionLine) (*apiextensions.CustomResourceDefinition, error) {
	version := map[string]any{"name": widget.Version, "served": true, "storage": true}
	if line.Definition.Schema != nil {
		version["schema"] = map[string]any{"openAPIV3Schema": line.Definition.Schema}
	}
	if line.Definition.Subresources != nil {
		version["subresources"] = line.Definition.Subresources
	}
	scope := line.Definition.Scope
	if scope == "" {
		scope = "Namespaced"
	}
	text, err := json.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   map[string]any{"name": "widgets." + widget.Group},
		"spec": map[string]any{
			"group":    widget.Group,
			"scope":    scope,
			"names":    map[string]any{"plural": "widgets", "singular": "widget", "kind": widget.Kind, "listKind": "WidgetList"},
			"versions": []any{version},
		},
	})
	if err != nil {
		return nil, err
	}
	object, _, err := apiserver.Codecs.UniversalDecoder().Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	return object.(*apiextensions.CustomResourceDefinition), nil
}

// servedKind holds the state of the custom resource handler for a version.
type servedKind struct {
	namespaced bool
	structural *structuralschema.Structural
	strategy   rest.RESTCreateUpdateStrategy
	request    runtime.Decoder
	storage    runtime.Decoder
}

// negotiatedSerializer has the layout of unstructuredNegotiatedSerializer in the package apiserver.
type negotiatedSerializer struct {
	typer                 runtime.ObjectTyper
	creator               runtime.ObjectCreater
	converter             runtime.ObjectConvertor
	structuralSchemas     map[string]*structuralschema.Structural
	structuralSchemaGK    schema.GroupKind
	preserveUnknownFields bool
	supportedMediaTypes   []runtime.SerializerInfo
}

// coercingDecoder has the layout of schemaCoercingDecoder in the package apiserver.
type coercingDecoder struct {
	delegate  runtime.Decoder
	validator schemaCoercer
}

type schemaCoercer struct {
	dropInvalidMetadata     bool
	repairGeneration        bool
	structuralSchemas       map[string]*structuralschema.Structural
	structuralSchemaGK      schema.GroupKind
	preserveUnknownFields   bool
	returnUnknownFieldPaths bool
}

//go:linkname decoderToVersion k8s.io/apiextensions-apiserver/pkg/apiserver.unstructuredNegotiatedSerializer.DecoderToVersion
func decoderToVersion(s negotiatedSerializer, decoder runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder

//go:linkname decodeCoercing k8s.io/apiextensions-apiserver/pkg/apiserver.schemaCoercingDecoder.Decode
func decodeCoercing(d coercingDecoder, data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error)

//go:linkname validateCommonFields k8s.io/apiserver/pkg/registry/rest.validateCommonFields
func validateCommonFields(obj, old runtime.Object, strategy rest.RESTUpdateStrategy) (field.ErrorList, error)

func (d coercingDecoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	return decodeCoercing(d, data, defaults, into)
}

type unstructuredCreator struct{}

func (unstructuredCreator) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(kind)
	return object, nil
}

// serve follows the handler after a definition is established.
func serve(internal *apiextensions.CustomResourceDefinition) (*servedKind, error) {
	var definition apiextensionsv1.CustomResourceDefinition
	if err := apiserver.Scheme.Convert(internal, &definition, nil); err != nil {
		return nil, err
	}
	version := definition.Spec.Versions[0]
	var converted apiextensions.CustomResourceValidation
	if err := apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(version.Schema, &converted, nil); err != nil {
		return nil, err
	}
	structural, err := structuralschema.NewStructural(converted.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	structural = structural.DeepCopy()
	if err := structuraldefaulting.PruneDefaults(structural); err != nil {
		return nil, err
	}
	validator, _, err := schemavalidation.NewSchemaValidator(converted.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	var status *apiextensions.CustomResourceSubresourceStatus
	var statusValidator schemavalidation.SchemaValidator
	var scale *apiextensions.CustomResourceSubresourceScale
	if version.Subresources != nil && version.Subresources.Status != nil {
		status = &apiextensions.CustomResourceSubresourceStatus{}
		if statusSchema, ok := converted.OpenAPIV3Schema.Properties["status"]; ok {
			if statusValidator, _, err = schemavalidation.NewSchemaValidator(&statusSchema); err != nil {
				return nil, err
			}
		}
	}
	if version.Subresources != nil && version.Subresources.Scale != nil {
		scale = &apiextensions.CustomResourceSubresourceScale{}
		if err := apiextensionsv1.Convert_v1_CustomResourceSubresourceScale_To_apiextensions_CustomResourceSubresourceScale(version.Subresources.Scale, scale, nil); err != nil {
			return nil, err
		}
	}
	namespaced := definition.Spec.Scope == apiextensionsv1.NamespaceScoped
	parameters := runtime.NewScheme()
	parameters.AddUnversionedTypes(widget.GroupVersion(), &metav1.ListOptions{}, &metav1.GetOptions{}, &metav1.DeleteOptions{})
	typer := apiserver.UnstructuredObjectTyper{Delegate: parameters, UnstructuredTyper: crdserverscheme.NewUnstructuredObjectTyper()}
	structurals := map[string]*structuralschema.Structural{widget.Version: structural}
	strictJSON := kjson.NewSerializerWithOptions(kjson.DefaultMetaFactory, unstructuredCreator{}, typer, kjson.SerializerOptions{Strict: true})
	return &servedKind{
		namespaced: namespaced,
		structural: structural,
		strategy: customresource.NewStrategy(
			typer, namespaced, widget, validator, statusValidator, structural, status, scale, version.SelectableFields,
		),
		request: decoderToVersion(negotiatedSerializer{
			typer:              typer,
			creator:            unstructuredCreator{},
			structuralSchemas:  structurals,
			structuralSchemaGK: widget.GroupKind(),
		}, strictJSON, widget.GroupVersion()),
		storage: coercingDecoder{unstructured.UnstructuredJSONScheme, schemaCoercer{
			dropInvalidMetadata: true,
			repairGeneration:    true,
			structuralSchemas:   structurals,
			structuralSchemaGK:  widget.GroupKind(),
		}},
	}, nil
}

func (k *servedKind) answer(line definitionLine) ([]answerField, error) {
	object, strictErrors, err := k.decode(line.Object)
	if err != nil {
		return []answerField{{"decodeError", err.Error()}}, nil
	}
	var answer []answerField
	if len(strictErrors) > 0 {
		answer = append(answer, answerField{"strictErrors", strictErrors})
	}
	var warnings warningList
	ctx := warning.WithWarningRecorder(k.context(), &warnings)
	var errs field.ErrorList
	if line.Before == nil {
		errs, err = k.create(ctx, object)
		if err != nil {
			return nil, err
		}
		answer = append(answer, answerField{"stored", stored(object)})
	} else {
		before, _, err := k.decode(line.Before)
		if err != nil {
			return []answerField{{"decodeError", err.Error()}}, nil
		}
		if _, err := k.create(k.context(), before); err != nil {
			return nil, err
		}
		if errs, err = k.update(ctx, object, before); err != nil {
			return nil, err
		}
	}
	if len(errs) > 0 {
		answer = append(answer, answerField{"errors", fieldErrors(errs, line.AnyOrder)})
	}
	if texts := warnings.texts(line.AnyOrder); len(texts) > 0 {
		answer = append(answer, answerField{"warnings", texts})
	}
	return answer, nil
}

func (k *servedKind) context() context.Context {
	ctx := genericapirequest.WithRequestInfo(context.Background(), &genericapirequest.RequestInfo{
		IsResourceRequest: true, APIGroup: widget.Group, APIVersion: widget.Version, Resource: "widgets", Namespace: k.requestNamespace(),
	})
	return genericapirequest.WithNamespace(ctx, k.requestNamespace())
}

func (k *servedKind) requestNamespace() string {
	if k.namespaced {
		return namespace
	}
	return ""
}

// decode reads the body of a request; errors of strict decoding are returned separately.
func (k *servedKind) decode(body []byte) (*unstructured.Unstructured, []string, error) {
	kind := widget
	into, _ := unstructuredCreator{}.New(kind)
	object, _, err := k.request.Decode(body, &kind, into)
	var texts []string
	if strictErr, ok := runtime.AsStrictDecodingError(err); ok {
		for _, each := range strictErr.Errors() {
			texts = append(texts, each.Error())
		}
	} else if err != nil {
		return nil, nil, err
	}
	return object.(*unstructured.Unstructured), texts, nil
}

// create follows the store up to the point where it stores a new object.
func (k *servedKind) create(ctx context.Context, object *unstructured.Unstructured) (field.ErrorList, error) {
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(rest.ExpectedNamespaceForScope(k.requestNamespace(), k.namespaced), object); err != nil {
		return nil, err
	}
	rest.WipeObjectMetaSystemFields(object)
	rest.FillObjectMetaSystemFields(object)
	if object.GetGenerateName() != "" && object.GetName() == "" {
		object.SetName(object.GetGenerateName() + "xxxxx")
	}
	strategy := &capturingStrategy{RESTCreateUpdateStrategy: k.strategy}
	err := rest.BeforeCreate(strategy, ctx, object)
	if err == nil || len(strategy.errs) > 0 {
		return strategy.errs, nil
	}
	errs := metavalidation.ValidateObjectMetaAccessor(object, k.namespaced, pathSegment, field.NewPath("metadata"))
	if len(errs) == 0 {
		return nil, err
	}
	return errs, nil
}

// update follows the store for an object that replaces another.
func (k *servedKind) update(ctx context.Context, object, before *unstructured.Unstructured) (field.ErrorList, error) {
	before.SetResourceVersion("1")
	text, err := before.MarshalJSON()
	if err != nil {
		return nil, err
	}
	read, _, err := k.storage.Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	existing := read.(*unstructured.Unstructured)
	structuraldefaulting.Default(existing.UnstructuredContent(), k.structural)
	if object.GetResourceVersion() == "" {
		object.SetResourceVersion("1")
	}
	strategy := &capturingStrategy{RESTCreateUpdateStrategy: k.strategy}
	if err := rest.BeforeUpdate(strategy, ctx, object, existing); err == nil {
		return nil, nil
	} else if strategy.asked == 0 {
		return nil, err
	}
	common, err := validateCommonFields(object, existing, k.strategy)
	if err != nil {
		return nil, err
	}
	return append(common, strategy.errs...), nil
}

// capturingStrategy keeps the single errors that the store combines.
type capturingStrategy struct {
	rest.RESTCreateUpdateStrategy
	errs  field.ErrorList
	asked int
}

func (s *capturingStrategy) Validate(ctx context.Context, obj runtime.Object) field.ErrorList {
	s.asked++
	s.errs = s.RESTCreateUpdateStrategy.Validate(ctx, obj)
	return s.errs
}

func (s *capturingStrategy) ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	s.asked++
	s.errs = s.RESTCreateUpdateStrategy.ValidateUpdate(ctx, obj, old)
	return s.errs
}

func pathSegment(name string, prefix bool) []string {
	if prefix {
		return path.IsValidPathSegmentPrefix(name)
	}
	return path.IsValidPathSegmentName(name)
}

// stored removes the fields that differ between creations.
func stored(object *unstructured.Unstructured) any {
	content := runtime.DeepCopyJSON(object.Object)
	if metadata, ok := content["metadata"].(map[string]any); ok {
		for _, name := range []string{"uid", "creationTimestamp", "resourceVersion"} {
			delete(metadata, name)
		}
	}
	return content
}

func fieldErrors(errs field.ErrorList, anyOrder bool) []any {
	seen := map[string]bool{}
	var kept field.ErrorList
	for _, err := range errs {
		if !seen[err.Error()] {
			seen[err.Error()] = true
			kept = append(kept, err)
		}
	}
	if anyOrder {
		sort.SliceStable(kept, func(i, j int) bool { return maskTypes(kept[i].Error()) < maskTypes(kept[j].Error()) })
	}
	answer := []any{}
	for _, err := range kept {
		answer = append(answer, struct {
			Type    string `json:"type"`
			Field   string `json:"field"`
			Detail  string `json:"detail"`
			Message string `json:"message"`
		}{err.Type.String(), err.Field, maskTypes(err.Detail), maskTypes(err.Error())})
	}
	return answer
}

type warningList []string

func (w *warningList) AddWarning(_, text string) {
	*w = append(*w, text)
}

// texts drops messages about finalizer names, which affect no admission decision.
func (w warningList) texts(anyOrder bool) []string {
	var texts []string
	for _, text := range w {
		if !strings.HasPrefix(text, "metadata.finalizers") {
			texts = append(texts, maskTypes(text))
		}
	}
	if anyOrder {
		sort.Strings(texts)
	}
	return texts
}

var selfType = regexp.MustCompile(`selfType\d+`)

// maskTypes removes the nanoseconds from type names of rules.
func maskTypes(text string) string {
	return selfType.ReplaceAllString(text, "selfType")
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/endpoints/deprecation"
	requests "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	services "k8s.io/kubernetes/pkg/registry/core/service/storage"
)

// suffix stands for the characters that a server adds to `generateName`.
const suffix = "xxxxx"

// storedUID stands for a uid that only a server knows.
const storedUID = types.UID("00000000-0000-0000-0000-000000000000")

var (
	strict  = reading(true)
	lenient = reading(false)
)

func reading(isStrict bool) runtime.Serializer {
	scheme := legacyscheme.Scheme
	return serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme, serializer.SerializerOptions{Strict: isStrict})
}

// warnings collects what a server sends as Warning headers, each text once.
type warnings struct{ texts []string }

func (collected *warnings) AddWarning(_, text string) {
	for _, known := range collected.texts {
		if known == text {
			return
		}
	}
	collected.texts = append(collected.texts, text)
}

// kindOf is the kind that the registry stores: both versions of events are one kind.
func kindOf(gvk schema.GroupVersionKind) schema.GroupKind {
	if gvk.Group == "events.k8s.io" {
		return schema.GroupKind{Kind: gvk.Kind}
	}
	return gvk.GroupKind()
}

// validated follows the handlers of apiserver's endpoints (create.go, update.go) and the generic registry store, without admission.
func validated(asked request) answer {
	var typed metav1.TypeMeta
	if err := json.Unmarshal(asked.Object, &typed); err != nil {
		return answer{Failure: err.Error()}
	}
	gvk := schema.FromAPIVersionAndKind(typed.APIVersion, typed.Kind)
	chosen, isKnown := strategies[kindOf(gvk)]
	if !isKnown || !legacyscheme.Scheme.Recognizes(gvk) {
		return answer{Unserved: true}
	}
	told := &warnings{}
	if asked.Applied && asked.OldObject != nil {
		repeats := repeatsKeys(asked.Object, gvk)
		if repeats {
			if twice := refusedDuplicates(asked); twice != nil {
				return *twice
			}
		}
		merged, err := applied(asked, gvk, chosen, repeats)
		if err != nil {
			return answer{Failure: err.Error()}
		}
		asked.Object = merged
	}
	ctx := warning.WithWarningRecorder(context.Background(), told)
	warnOfVersion(gvk, told)
	object, err := decode(asked.Object, gvk, strict)
	if err == nil {
		err = admitted(ctx, asked, gvk, chosen, object)
	}
	if err != nil {
		return refusal(err, told.texts)
	}
	result := answer{Code: 201, Warnings: told.texts}
	if asked.OldObject != nil {
		result.Code = 200
	}
	if asked.Echo {
		result.Object, err = encode(object, gvk)
		if err != nil {
			return answer{Failure: err.Error()}
		}
	}
	return result
}

func warnOfVersion(gvk schema.GroupVersionKind, told *warnings) {
	release, err := version.Parse(emulated)
	if err != nil {
		return
	}
	object, err := legacyscheme.Scheme.New(gvk)
	if err != nil || !deprecation.IsDeprecated(object, int(release.Major()), int(release.Minor())) {
		return
	}
	object.GetObjectKind().SetGroupVersionKind(gvk)
	told.AddWarning("", deprecation.WarningMessage(object))
}

func admitted(ctx context.Context, asked request, gvk schema.GroupVersionKind, chosen strategy, object runtime.Object) error {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	namespace := namespaceOf(chosen, accessor)
	verb := "create"
	if asked.OldObject != nil {
		verb = "update"
	}
	ctx = requestContext(ctx, verb, gvk, namespace)
	if asked.OldObject == nil {
		return create(ctx, chosen, object, namespace)
	}
	old, err := stored(asked, gvk, chosen, namespace)
	if err != nil {
		return err
	}
	return update(ctx, chosen, object, old)
}

// requestContext tells strategies the version of the request; some validate by it.
func requestContext(ctx context.Context, verb string, gvk schema.GroupVersionKind, namespace string) context.Context {
	plural, _ := meta.UnsafeGuessKindToResource(gvk)
	ctx = requests.WithNamespace(ctx, namespace)
	return requests.WithRequestInfo(ctx, &requests.RequestInfo{
		IsResourceRequest: true,
		Verb:              verb,
		APIPrefix:         "apis",
		APIGroup:          gvk.Group,
		APIVersion:        gvk.Version,
		Namespace:         namespace,
		Resource:          plural.Resource,
	})
}

// decode reads an object into the registry's own version, with defaults; errors as endpoints/handlers/create.go words them.
func decode(text []byte, gvk schema.GroupVersionKind, from runtime.Serializer) (runtime.Object, error) {
	internal := schema.GroupVersion{Group: gvk.Group, Version: runtime.APIVersionInternal}
	object, actual, err := legacyscheme.Codecs.DecoderToVersion(from, internal).Decode(text, &gvk, nil)
	if err == nil {
		return object, nil
	}
	read := gvk
	if actual != nil {
		read = *actual
	}
	message := fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", read.Kind, read.Version, gvk.Kind, err)
	return nil, apierrors.NewBadRequest(message)
}

func encode(object runtime.Object, gvk schema.GroupVersionKind) (json.RawMessage, error) {
	versioned, err := legacyscheme.Scheme.ConvertToVersion(object, gvk.GroupVersion())
	if err != nil {
		return nil, err
	}
	return json.Marshal(versioned)
}

// converted is the object in another version of its kind, as admission converts it for policies (generic.VersionedAttributes).
func converted(asked request) answer {
	var typed metav1.TypeMeta
	if err := json.Unmarshal(asked.Object, &typed); err != nil {
		return answer{Failure: err.Error()}
	}
	from := schema.FromAPIVersionAndKind(typed.APIVersion, typed.Kind)
	to := schema.FromAPIVersionAndKind(asked.Convert, typed.Kind)
	if !legacyscheme.Scheme.Recognizes(from) || !legacyscheme.Scheme.Recognizes(to) {
		return answer{Unserved: true}
	}
	object, err := decode(asked.Object, from, lenient)
	if err != nil {
		return refusal(err, nil)
	}
	text, err := encode(object, to)
	if err != nil {
		return answer{Unserved: true}
	}
	return answer{Code: 200, Object: text}
}

func create(ctx context.Context, chosen strategy, object runtime.Object, namespace string) error {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	expected := rest.ExpectedNamespaceForScope(namespace, chosen.NamespaceScoped())
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(expected, accessor); err != nil {
		return err
	}
	rest.FillObjectMetaSystemFields(accessor)
	generateName(accessor)
	if service, isService := object.(*core.Service); isService {
		if err := services.BeginCreate(service); err != nil {
			return err
		}
	}
	return rest.BeforeCreate(chosen, ctx, object)
}

func update(ctx context.Context, chosen strategy, object, old runtime.Object) error {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	oldAccessor, err := meta.Accessor(old)
	if err != nil {
		return err
	}
	keepSystemFields(accessor, oldAccessor, chosen.NamespaceScoped())
	if service, isService := object.(*core.Service); isService {
		oldService, isService := old.(*core.Service)
		if !isService {
			return errors.New("the old object is no Service")
		}
		if err := services.BeginUpdate(service, oldService); err != nil {
			return err
		}
	}
	return rest.BeforeUpdate(chosen, ctx, object, old)
}

// keepSystemFields copies what an apply leaves as the server has set it.
func keepSystemFields(accessor, old metav1.Object, isNamespaced bool) {
	if accessor.GetName() == "" {
		accessor.SetName(old.GetName())
	}
	if isNamespaced && accessor.GetNamespace() == "" {
		accessor.SetNamespace(old.GetNamespace())
	}
	if accessor.GetResourceVersion() == "" {
		accessor.SetResourceVersion(old.GetResourceVersion())
	}
	if accessor.GetUID() == "" {
		accessor.SetUID(old.GetUID())
	}
}

func generateName(accessor metav1.Object) {
	if prefix := accessor.GetGenerateName(); prefix != "" && accessor.GetName() == "" {
		accessor.SetName(prefix + suffix)
	}
}

// stored is the old object as a server holds it: defaulted and prepared, with values for what only a server knows. It isn't validated, because
// what is stored may be invalid by today's rules.
func stored(asked request, gvk schema.GroupVersionKind, chosen strategy, namespace string) (runtime.Object, error) {
	object, err := decode(asked.OldObject, gvk, lenient)
	if err != nil {
		return nil, err
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	if chosen.NamespaceScoped() {
		accessor.SetNamespace(namespace)
	}
	if accessor.GetUID() == "" {
		rest.FillObjectMetaSystemFields(accessor)
		accessor.SetUID(storedUID)
	}
	generateName(accessor)
	if service, isService := object.(*core.Service); isService {
		// An address that was accepted once may be invalid today.
		_ = services.WithoutRanges(func() error { return services.BeginCreate(service) })
	}
	chosen.PrepareForCreate(requestContext(context.Background(), "create", gvk, namespace), object)
	rest.RESTCreateStrategy(chosen).Canonicalize(object)
	if accessor.GetResourceVersion() == "" {
		accessor.SetResourceVersion("1")
	}
	// Controllers bind a claim; only a bound claim may grow.
	if claim, isClaim := object.(*core.PersistentVolumeClaim); isClaim && asked.Applied {
		claim.Status.Phase = core.ClaimBound
		claim.Status.Capacity = core.ResourceList{core.ResourceStorage: claim.Spec.Resources.Requests[core.ResourceStorage]}
	}
	return object, nil
}

func refusal(err error, told []string) answer {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return answer{Failure: err.Error(), Warnings: told}
	}
	of := status.Status()
	inOrder(&of)
	result := answer{Code: of.Code, Reason: string(of.Reason), Message: of.Message, Warnings: told}
	if of.Details != nil {
		for _, each := range of.Details.Causes {
			result.Causes = append(result.Causes, cause{Field: each.Field, Reason: string(each.Type), Message: each.Message})
		}
	}
	return result
}

// applied merges the difference of the two applied objects into the stored object, so that fields which only the server set stay.
// repeats: a list names a key twice, as Services do whose ports differ in their protocol; lists are then replaced.
func applied(asked request, gvk schema.GroupVersionKind, chosen strategy, repeats bool) (json.RawMessage, error) {
	var metadata metav1.PartialObjectMetadata
	if err := json.Unmarshal(asked.Object, &metadata); err != nil {
		return nil, err
	}
	old, err := stored(asked, gvk, chosen, namespaceOf(chosen, &metadata))
	if err != nil {
		return nil, err
	}
	current, err := encode(old, gvk)
	if err != nil {
		return nil, err
	}
	if repeats {
		patch, err := jsonmergepatch.CreateThreeWayJSONMergePatch(asked.OldObject, asked.Object, current)
		if err != nil {
			return nil, err
		}
		return jsonpatch.MergePatch(current, patch)
	}
	versioned, err := legacyscheme.Scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	schema, err := strategicpatch.NewPatchMetaFromStruct(versioned)
	if err != nil {
		return nil, err
	}
	patch, err := strategicpatch.CreateThreeWayMergePatch(asked.OldObject, asked.Object, current, schema, true)
	if err != nil {
		return nil, err
	}
	return strategicpatch.StrategicMergePatchUsingLookupPatchMeta(current, patch, schema)
}

func namespaceOf(chosen strategy, object metav1.Object) string {
	if !chosen.NamespaceScoped() {
		return ""
	}
	if namespace := object.GetNamespace(); namespace != "" {
		return namespace
	}
	return metav1.NamespaceDefault
}

// Reads manifests, one JSON object with "id" and "manifest" per line, and prints the result of Kubernetes' own packages
// for each:
// the error, or the strict errors and the object after decoding, defaulting, conversion and creation.
// Built in a scratch module against one release of k8s.io/kubernetes; see ../README.md.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "preadmit.scratch/install"
	kjson "sigs.k8s.io/json"
)

type question struct {
	ID       string          `json:"id"`
	Manifest json.RawMessage `json:"manifest"`
}

type answer struct {
	ID     string   `json:"id"`
	Error  string   `json:"error,omitempty"`
	Strict []string `json:"strict,omitempty"`
	// Decoded leniently, without defaults.
	Object map[string]any `json:"object,omitempty"`
	// Defaulted, converted to the internal version and back.
	Completed map[string]any `json:"completed,omitempty"`
	// After PrepareForCreate and Canonicalize; absent for kinds that are not stored.
	Created map[string]any `json:"created,omitempty"`
	// Set if a stage fails or panics.
	Failure string `json:"failure,omitempty"`
}

func main() {
	apiextensions.Install(legacyscheme.Scheme)
	apiregistration.Install(legacyscheme.Scheme)
	decoder := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<24))
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	encoder := json.NewEncoder(output)
	encoder.SetEscapeHTML(false)
	for {
		var line question
		if err := decoder.Decode(&line); err != nil {
			break
		}
		if err := encoder.Encode(answerTo(line)); err != nil {
			panic(err)
		}
	}
}

func answerTo(line question) (result answer) {
	result.ID = line.ID
	var typeMeta struct{ APIVersion, Kind string }
	if err := json.Unmarshal(line.Manifest, &typeMeta); err != nil {
		result.Failure = err.Error()
		return
	}
	kind := schema.FromAPIVersionAndKind(typeMeta.APIVersion, typeMeta.Kind)
	object, err := legacyscheme.Scheme.New(kind)
	if err != nil {
		result.Failure = err.Error()
		return
	}
	strict, err := kjson.UnmarshalStrict(line.Manifest, object)
	if err != nil {
		result.Error = err.Error()
		return
	}
	for _, each := range strict {
		result.Strict = append(result.Strict, each.Error())
	}
	result.Object = unstructured(object)
	defer func() {
		if reason := recover(); reason != nil {
			result.Failure = fmt.Sprint(reason)
		}
	}()
	legacyscheme.Scheme.Default(object)
	internal, err := legacyscheme.Scheme.ConvertToVersion(object, schema.GroupVersion{Group: kind.Group, Version: runtime.APIVersionInternal})
	if err != nil {
		result.Failure = err.Error()
		return
	}
	result.Completed = versioned(internal, kind)
	if created := create(internal.DeepCopyObject(), kind); created != nil {
		result.Created = versioned(created, kind)
	}
	return
}

func versioned(internal runtime.Object, kind schema.GroupVersionKind) map[string]any {
	object, err := legacyscheme.Scheme.ConvertToVersion(internal, kind.GroupVersion())
	if err != nil {
		panic(err)
	}
	object.GetObjectKind().SetGroupVersionKind(kind)
	return unstructured(object)
}

func unstructured(object runtime.Object) map[string]any {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		panic(err)
	}
	return markDoubles(runtime.DeepCopyJSON(content)).(map[string]any)
}

// double is written with a fraction, so that readers can distinguish it from an integer.
type double float64

func (d double) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(float64(d))
	for _, character := range text {
		if character == '.' || character == 'e' {
			return text, err
		}
	}
	return append(text, ".0"...), err
}

func markDoubles(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, item := range value {
			value[key] = markDoubles(item)
		}
	case []any:
		for index, item := range value {
			value[index] = markDoubles(item)
		}
	case float64:
		return double(value)
	}
	return value
}

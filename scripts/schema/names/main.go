// Reads manifests, one JSON object with "id" and "manifest" per line, and prints the API server's errors for the
// metadata of each
// on creation. Built in a scratch module against one release of k8s.io/kubernetes; see ../README.md.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	customresourcedefinition "k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	"k8s.io/kube-aggregator/pkg/registry/apiservice"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "preadmit.scratch/install"
	"preadmit.scratch/strategies"
)

type question struct {
	ID       string          `json:"id"`
	Manifest json.RawMessage `json:"manifest"`
}

type answer struct {
	ID string `json:"id"`
	// The text before the first colon and space: `Pod "Web" is invalid`.
	Subject string `json:"subject,omitempty"`
	// Metadata fields with their errors, in order.
	Errors []string `json:"errors,omitempty"`
	// Set if the program cannot create the object, so its errors are unknown.
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
	defer func() {
		if reason := recover(); reason != nil {
			result = answer{ID: line.ID, Failure: fmt.Sprint(reason)}
		}
	}()
	err := create(line.Manifest)
	if err == nil {
		return
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil || status.Status().Code != 422 {
		result.Failure = err.Error()
		return
	}
	result.Subject, _, _ = strings.Cut(err.Error(), ": ")
	for _, cause := range status.Status().Details.Causes {
		if strings.HasPrefix(cause.Field, "metadata.") {
			result.Errors = append(result.Errors, cause.Field+": "+cause.Message)
		}
	}
	return
}

func create(manifest json.RawMessage) error {
	var typeMeta struct{ APIVersion, Kind string }
	if err := json.Unmarshal(manifest, &typeMeta); err != nil {
		return err
	}
	kind := schema.FromAPIVersionAndKind(typeMeta.APIVersion, typeMeta.Kind)
	object, err := legacyscheme.Scheme.New(kind)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(manifest, object); err != nil {
		return err
	}
	legacyscheme.Scheme.Default(object)
	internal, err := legacyscheme.Scheme.ConvertToVersion(object, schema.GroupVersion{Group: kind.Group, Version: runtime.APIVersionInternal})
	if err != nil {
		return err
	}
	strategy := strategyFor(kind.GroupKind())
	if strategy == nil {
		return errors.New("not stored")
	}
	metadata, err := meta.Accessor(internal)
	if err != nil {
		return err
	}
	rest.FillObjectMetaSystemFields(metadata)
	metadata.SetManagedFields(nil)
	ctx := request.WithUser(context.Background(), &user.DefaultInfo{Name: "user"})
	ctx = request.WithRequestInfo(ctx, &request.RequestInfo{
		IsResourceRequest: true, Verb: "create", APIGroup: kind.Group, APIVersion: kind.Version,
	})
	ctx = request.WithNamespace(ctx, rest.ExpectedNamespaceForScope(metadata.GetNamespace(), strategy.NamespaceScoped()))
	if metadata.GetName() == "" && metadata.GetGenerateName() != "" {
		metadata.SetName(metadata.GetGenerateName() + "xxxxx")
	}
	return rest.BeforeCreate(strategy, ctx, internal)
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

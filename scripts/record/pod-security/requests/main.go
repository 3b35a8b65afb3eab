// Records the answers of the PodSecurity plugin to requests: one JSON line per document.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	admissionv1 "k8s.io/api/admission/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/pod-security-admission/admission"
	admissionapi "k8s.io/pod-security-admission/admission/api"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/metrics"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"
)

type question struct {
	ID         string            `json:"id"`
	Defaults   map[string]string `json:"defaults,omitempty"`
	Exemptions struct {
		Usernames      []string `json:"usernames,omitempty"`
		Namespaces     []string `json:"namespaces,omitempty"`
		RuntimeClasses []string `json:"runtimeClasses,omitempty"`
	} `json:"exemptions,omitempty"`
	User string `json:"user,omitempty"`
	// Labels of the object's Namespace.
	Labels map[string]string `json:"labels,omitempty"`
	// Existing Pods of the Namespace.
	Pods        []json.RawMessage `json:"pods,omitempty"`
	Subresource string            `json:"subresource,omitempty"`
	Object      json.RawMessage   `json:"object"`
	OldObject   json.RawMessage   `json:"oldObject,omitempty"`
}

type recorded struct {
	question
	Allowed          bool              `json:"allowed"`
	Message          string            `json:"message,omitempty"`
	Reason           string            `json:"reason,omitempty"`
	Code             int32             `json:"code,omitempty"`
	Warnings         []string          `json:"warnings,omitempty"`
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"`
}

type kind struct {
	resource schema.GroupVersionResource
	object   func() runtime.Object
}

var kinds = map[string]kind{
	"Namespace":             {corev1.SchemeGroupVersion.WithResource("namespaces"), func() runtime.Object { return &corev1.Namespace{} }},
	"Pod":                   {corev1.SchemeGroupVersion.WithResource("pods"), func() runtime.Object { return &corev1.Pod{} }},
	"PodTemplate":           {corev1.SchemeGroupVersion.WithResource("podtemplates"), func() runtime.Object { return &corev1.PodTemplate{} }},
	"ReplicationController": {corev1.SchemeGroupVersion.WithResource("replicationcontrollers"), func() runtime.Object { return &corev1.ReplicationController{} }},
	"DaemonSet":             {appsv1.SchemeGroupVersion.WithResource("daemonsets"), func() runtime.Object { return &appsv1.DaemonSet{} }},
	"Deployment":            {appsv1.SchemeGroupVersion.WithResource("deployments"), func() runtime.Object { return &appsv1.Deployment{} }},
	"ReplicaSet":            {appsv1.SchemeGroupVersion.WithResource("replicasets"), func() runtime.Object { return &appsv1.ReplicaSet{} }},
	"StatefulSet":           {appsv1.SchemeGroupVersion.WithResource("statefulsets"), func() runtime.Object { return &appsv1.StatefulSet{} }},
	"CronJob":               {batchv1.SchemeGroupVersion.WithResource("cronjobs"), func() runtime.Object { return &batchv1.CronJob{} }},
	"Job":                   {batchv1.SchemeGroupVersion.WithResource("jobs"), func() runtime.Object { return &batchv1.Job{} }},
}

// known is the cluster of one request.
type known struct {
	namespace *corev1.Namespace
	pods      []*corev1.Pod
}

func (k known) GetNamespace(context.Context, string) (*corev1.Namespace, error) {
	return k.namespace, nil
}
func (k known) ListPods(context.Context, string) ([]*corev1.Pod, error) { return k.pods, nil }

type unrecorded struct{}

func (unrecorded) RecordEvaluation(metrics.Decision, api.LevelVersion, metrics.Mode, api.Attributes) {
}
func (unrecorded) RecordExemption(api.Attributes)   {}
func (unrecorded) RecordError(bool, api.Attributes) {}

func main() {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		fail(err)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, name := range os.Args[1:] {
		file, err := os.Open(name)
		if err != nil {
			fail(err)
		}
		reader := utilyaml.NewYAMLReader(bufio.NewReader(file))
		for {
			document, err := reader.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				fail(err)
			}
			var asked question
			if err := yaml.Unmarshal(document, &asked); err != nil {
				fail(fmt.Errorf("%s: %w", name, err))
			}
			if asked.ID == "" {
				continue
			}
			answer, err := ask(evaluator, asked)
			if err != nil {
				fail(fmt.Errorf("%s: %w", asked.ID, err))
			}
			line, err := json.Marshal(answer)
			if err != nil {
				fail(err)
			}
			out.Write(append(line, '\n'))
		}
		file.Close()
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func ask(evaluator policy.Evaluator, asked question) (*recorded, error) {
	object, of, err := decode(asked.Object)
	if err != nil {
		return nil, err
	}
	meta := object.(metav1.Object)
	attributes := &api.AttributesRecord{
		Name:        meta.GetName(),
		Namespace:   meta.GetNamespace(),
		Kind:        object.GetObjectKind().GroupVersionKind(),
		Resource:    of.resource,
		Subresource: asked.Subresource,
		Operation:   admissionv1.Create,
		Object:      object,
		Username:    asked.User,
	}
	if _, isNamespace := object.(*corev1.Namespace); isNamespace {
		attributes.Namespace = meta.GetName()
	}
	if len(asked.OldObject) > 0 {
		old, _, err := decode(asked.OldObject)
		if err != nil {
			return nil, err
		}
		attributes.Operation, attributes.OldObject = admissionv1.Update, old
	}
	cluster := known{namespace: &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: meta.GetNamespace(), Labels: asked.Labels}}}
	for _, text := range asked.Pods {
		pod, _, err := decode(text)
		if err != nil {
			return nil, err
		}
		cluster.pods = append(cluster.pods, pod.(*corev1.Pod))
	}
	plugin := &admission.Admission{
		Configuration:   configuration(asked),
		Evaluator:       evaluator,
		Metrics:         unrecorded{},
		NamespaceGetter: cluster,
		PodLister:       cluster,
	}
	if err := plugin.CompleteConfiguration(); err != nil {
		return nil, err
	}
	if err := plugin.ValidateConfiguration(); err != nil {
		return nil, err
	}
	response := plugin.Validate(context.Background(), attributes)
	answer := &recorded{question: asked, Allowed: response.Allowed, Warnings: response.Warnings, AuditAnnotations: response.AuditAnnotations}
	if response.Result != nil {
		answer.Message, answer.Reason, answer.Code = response.Result.Message, string(response.Result.Reason), response.Result.Code
	}
	return answer, nil
}

func decode(text json.RawMessage) (runtime.Object, kind, error) {
	var named metav1.TypeMeta
	if err := json.Unmarshal(text, &named); err != nil {
		return nil, kind{}, err
	}
	of, found := kinds[named.Kind]
	if !found {
		return nil, kind{}, fmt.Errorf("no kind %q", named.Kind)
	}
	object := of.object()
	return object, of, json.Unmarshal(text, object)
}

func configuration(asked question) *admissionapi.PodSecurityConfiguration {
	value := func(name, otherwise string) string {
		if set := asked.Defaults[name]; set != "" {
			return set
		}
		return otherwise
	}
	return &admissionapi.PodSecurityConfiguration{
		Defaults: admissionapi.PodSecurityDefaults{
			Enforce:        value("enforce", "privileged"),
			EnforceVersion: value("enforce-version", "latest"),
			Audit:          value("audit", "privileged"),
			AuditVersion:   value("audit-version", "latest"),
			Warn:           value("warn", "privileged"),
			WarnVersion:    value("warn-version", "latest"),
		},
		Exemptions: admissionapi.PodSecurityExemptions(asked.Exemptions),
	}
}

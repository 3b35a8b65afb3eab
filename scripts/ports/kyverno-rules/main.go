// The engine of Kyverno 1.19: whole policies, evaluated as its webhook and its command line do.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"reflect"

	"github.com/go-logr/logr"
	kyvernov1 "github.com/kyverno/kyverno/api/kyverno/v1"
	kyvernov2 "github.com/kyverno/kyverno/api/kyverno/v2"
	"github.com/kyverno/kyverno/cmd/cli/kubectl-kyverno/processor"
	"github.com/kyverno/kyverno/cmd/cli/kubectl-kyverno/store"
	"github.com/kyverno/kyverno/pkg/clients/dclient"
	"github.com/kyverno/kyverno/pkg/config"
	"github.com/kyverno/kyverno/pkg/engine"
	"github.com/kyverno/kyverno/pkg/engine/adapters"
	engineapi "github.com/kyverno/kyverno/pkg/engine/api"
	"github.com/kyverno/kyverno/pkg/engine/factories"
	"github.com/kyverno/kyverno/pkg/engine/jmespath"
	"github.com/kyverno/kyverno/pkg/engine/policycontext"
	imageverifycache "github.com/kyverno/kyverno/pkg/image/verification/cache"
	policyvalidation "github.com/kyverno/kyverno/pkg/validation/policy"
	webhookutils "github.com/kyverno/kyverno/pkg/webhooks/utils"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	"preadmit.ports/protocol"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
)

var configuration = config.NewDefaultConfiguration(false)
var queries = jmespath.New(configuration)

func main() {
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	ctrllog.SetLogger(logr.Discard())
	protocol.Serve(protocol.Program{
		Ports: map[string]protocol.Port{"kyverno-rules": {"": answer}},
		Surface: map[string]func() any{
			"kyverno-rules": func() any { return []string{} },
		},
	})
}

// question is the third argument: what is known beside the policy and the object.
type question struct {
	Engine    string                 `json:"engine"`
	Operation string                 `json:"operation"`
	OldObject map[string]any         `json:"oldObject"`
	Targets   []map[string]any       `json:"targets"`
	User      *kyvernov2.RequestInfo `json:"userInfo"`
}

type ruleAnswer struct {
	Rule    string `json:"rule"`
	Type    string `json:"type"`
	Status  string `json:"status"`
	Message string `json:"message"`
	Target  any    `json:"target,omitempty"`
}

func answer(call protocol.Call) any {
	policy := &kyvernov1.ClusterPolicy{}
	call.Read(0, policy)
	object := unstructured.Unstructured{}
	if err := object.UnmarshalJSON(call.Arguments[1]); err != nil {
		panic("harness: " + err.Error())
	}
	var asked question
	call.Read(2, &asked)
	account := config.KyvernoUserName(config.KyvernoServiceAccountName())
	if _, err := policyvalidation.Validate(policy, nil, nil, true, account, account); err != nil {
		return map[string]any{"refused": err.Error()}
	}
	if asked.Engine == "admission" {
		return admission(policy, object, call.Arguments[1], asked)
	}
	return commandLine(policy, object, asked)
}

func client(objects []map[string]any) dclient.Interface {
	held := []runtime.Object{}
	for _, object := range objects {
		held = append(held, &unstructured.Unstructured{Object: object})
	}
	fake, err := dclient.NewFakeClient(runtime.NewScheme(), map[schema.GroupVersionResource]string{}, held...)
	if err != nil {
		panic(err)
	}
	fake.SetDiscovery(dclient.NewFakeDiscoveryClient(nil))
	return fake
}

func commandLine(policy kyvernov1.PolicyInterface, object unstructured.Unstructured, asked question) any {
	var held store.Store
	held.SetLocal(true)
	targets := []*unstructured.Unstructured{}
	for _, target := range asked.Targets {
		targets = append(targets, &unstructured.Unstructured{Object: target})
	}
	run := processor.PolicyProcessor{
		Store:                     &held,
		Policies:                  []kyvernov1.PolicyInterface{policy},
		Resource:                  object,
		TargetResources:           targets,
		Operation:                 asked.Operation,
		UserInfo:                  asked.User,
		Rc:                        &processor.ResultCounts{},
		RuleToCloneSourceResource: map[string]string{},
		Client:                    client(asked.Targets),
		Out:                       io.Discard,
	}
	responses, err := run.ApplyPoliciesOnResource()
	if err != nil {
		return protocol.Failed(err)
	}
	return answered(object, responses)
}

func admission(policy kyvernov1.PolicyInterface, object unstructured.Unstructured, written json.RawMessage, asked question) any {
	eng := engine.NewEngine(
		configuration,
		queries,
		adapters.Client(client(asked.Targets)),
		factories.DefaultRegistryClientFactory(nil, nil),
		imageverifycache.DisabledImageVerifyCache(),
		factories.DefaultContextLoaderFactory(nil),
		nil,
		nil,
	)
	request := requestOf(object, written, asked)
	info := kyvernov2.RequestInfo{AdmissionUserInfo: request.UserInfo}
	if asked.User != nil {
		info = *asked.User
		request.UserInfo = info.AdmissionUserInfo
	}
	gvk := object.GroupVersionKind()
	built := func() *policycontext.PolicyContext {
		made, err := policycontext.NewPolicyContextFromAdmissionRequest(queries, request, info, gvk, configuration)
		if err != nil {
			panic(err)
		}
		return made.WithPolicy(policy)
	}
	responses := []engineapi.EngineResponse{}
	if policy.GetSpec().HasMutateStandard() {
		mutated := eng.Mutate(context.TODO(), built())
		responses = append(responses, mutated)
		if request.Operation != admissionv1.Delete {
			patched, err := mutated.PatchedResource.MarshalJSON()
			if err != nil {
				return protocol.Failed(err)
			}
			request.Object.Raw = patched
		}
	}
	validated := eng.Validate(context.TODO(), built())
	if !validated.IsNil() {
		responses = append(responses, validated)
	}
	result := answered(object, responses)
	blocking := []engineapi.EngineResponse{validated}
	if webhookutils.BlockRequest(blocking, policy.GetSpec().GetFailurePolicy(context.TODO()), logr.Discard()) {
		result["denial"] = webhookutils.GetBlockedMessages(blocking)
	}
	return result
}

func requestOf(object unstructured.Unstructured, written json.RawMessage, asked question) admissionv1.AdmissionRequest {
	gvk := object.GroupVersionKind()
	operation := admissionv1.Operation(asked.Operation)
	if operation == "" {
		operation = admissionv1.Create
	}
	dryRun := false
	request := admissionv1.AdmissionRequest{
		UID:       "00000000-0000-0000-0000-000000000000",
		Kind:      metav1.GroupVersionKind{Group: gvk.Group, Version: gvk.Version, Kind: gvk.Kind},
		Name:      object.GetName(),
		Namespace: object.GetNamespace(),
		Operation: operation,
		DryRun:    &dryRun,
	}
	if operation != admissionv1.Delete {
		request.Object.Raw = written
	}
	if operation == admissionv1.Delete {
		request.OldObject.Raw = written
	} else if operation == admissionv1.Update {
		request.OldObject.Raw = written
		if asked.OldObject != nil {
			old, err := json.Marshal(asked.OldObject)
			if err != nil {
				panic(err)
			}
			request.OldObject.Raw = old
		}
	}
	return request
}

// answered lists the results of the rules, and the object if a rule changed it.
func answered(object unstructured.Unstructured, responses []engineapi.EngineResponse) map[string]any {
	rules := []ruleAnswer{}
	final := object.Object
	for _, response := range responses {
		for _, rule := range response.PolicyResponse.Rules {
			each := ruleAnswer{Rule: rule.Name(), Type: string(rule.RuleType()), Status: string(rule.Status()), Message: rule.Message()}
			if target, _, _ := rule.PatchedTarget(); target != nil {
				each.Target = protocol.Tag(reflect.ValueOf(target.Object))
			}
			rules = append(rules, each)
		}
		if response.PatchedResource.Object != nil && len(response.PolicyResponse.Rules) > 0 {
			final = response.PatchedResource.Object
		}
	}
	result := map[string]any{"rules": rules}
	before, _ := json.Marshal(object.Object)
	after, _ := json.Marshal(final)
	if !bytes.Equal(before, after) {
		result["object"] = protocol.Tag(reflect.ValueOf(final))
	}
	return result
}

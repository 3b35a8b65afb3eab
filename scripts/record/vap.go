package main

import (
	"context"
	"encoding/json"
	"fmt"
	_ "unsafe"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

//go:linkname compilePolicy k8s.io/apiserver/pkg/admission/plugin/policy/validating.compilePolicy
func compilePolicy(policy *admissionregistration.ValidatingAdmissionPolicy) validating.Validator

type policyLine struct {
	Policy          admissionregistration.ValidatingAdmissionPolicy `json:"policy"`
	Request         policyRequest                                   `json:"request"`
	Params          json.RawMessage                                 `json:"params"`
	NamespaceObject *corev1.Namespace                               `json:"namespaceObject"`
	// The authorizer's answer to every check: allow, or deny for no opinion.
	Authorizer string `json:"authorizer"`
}

type policyRequest struct {
	Kind        schema.GroupVersionKind     `json:"kind"`
	Resource    metav1.GroupVersionResource `json:"resource"`
	SubResource string                      `json:"subResource"`
	Name        string                      `json:"name"`
	Namespace   string                      `json:"namespace"`
	Operation   admission.Operation         `json:"operation"`
	UserInfo    struct {
		Username string              `json:"username"`
		UID      string              `json:"uid"`
		Groups   []string            `json:"groups"`
		Extra    map[string][]string `json:"extra"`
	} `json:"userInfo"`
	Object    json.RawMessage `json:"object"`
	OldObject json.RawMessage `json:"oldObject"`
	Options   json.RawMessage `json:"options"`
	DryRun    bool            `json:"dryRun"`
}

// answerPolicy returns whether a policy's constraints match a request, and its decision in either case.
func answerPolicy(asked []byte) ([]answerField, error) {
	var line policyLine
	if err := json.Unmarshal(asked, &line); err != nil {
		return nil, err
	}
	attributes, err := attributesOf(line.Request)
	if err != nil {
		return nil, err
	}
	params, err := object(line.Params)
	if err != nil {
		return nil, err
	}
	var answer []answerField
	if line.Policy.Spec.MatchConstraints != nil {
		matches, err := matchPolicy(line, attributes)
		answer = append(answer, answerField{"matches", matches})
		if err != nil {
			answer = append(answer, answerField{"matchError", err.Error()})
		}
	}
	versioned := &admission.VersionedAttributes{
		Attributes:         attributes,
		VersionedKind:      attributes.GetKind(),
		VersionedObject:    attributes.GetObject(),
		VersionedOldObject: attributes.GetOldObject(),
	}
	result := compilePolicy(&line.Policy).Validate(
		context.Background(), attributes.GetResource(), versioned, params, line.NamespaceObject,
		celconfig.RuntimeCELCostBudget, fixedAuthorizer(line.Authorizer),
	)
	decisions := []any{}
	for _, each := range result.Decisions {
		decisions = append(decisions, struct {
			Action     string `json:"action"`
			Evaluation string `json:"evaluation"`
			Reason     string `json:"reason"`
			Message    string `json:"message"`
		}{string(each.Action), string(each.Evaluation), string(each.Reason), each.Message})
	}
	annotations := []any{}
	for _, each := range result.AuditAnnotations {
		annotations = append(annotations, struct {
			Key    string `json:"key"`
			Action string `json:"action"`
			Value  string `json:"value"`
			Error  string `json:"error"`
		}{each.Key, string(each.Action), each.Value, each.Error})
	}
	return append(answer, answerField{"decisions", decisions}, answerField{"auditAnnotations", annotations}), nil
}

func attributesOf(request policyRequest) (admission.Attributes, error) {
	current, err := object(request.Object)
	if err != nil {
		return nil, err
	}
	old, err := object(request.OldObject)
	if err != nil {
		return nil, err
	}
	options, err := optionsOf(request)
	if err != nil {
		return nil, err
	}
	return admission.NewAttributesRecord(
		current, old, request.Kind, request.Namespace, request.Name,
		schema.GroupVersionResource(request.Resource), request.SubResource, request.Operation, options, request.DryRun,
		&user.DefaultInfo{
			Name:   request.UserInfo.Username,
			UID:    request.UserInfo.UID,
			Groups: request.UserInfo.Groups,
			Extra:  request.UserInfo.Extra,
		},
	), nil
}

// object returns an untyped nil for null, like all admission code.
func object(text json.RawMessage) (runtime.Object, error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	content := map[string]any{}
	if err := utiljson.Unmarshal(text, &content); err != nil {
		return nil, err
	}
	return &unstructured.Unstructured{Object: content}, nil
}

func optionsOf(request policyRequest) (runtime.Object, error) {
	if len(request.Options) == 0 || string(request.Options) == "null" {
		return nil, nil
	}
	var options runtime.Object
	switch request.Operation {
	case admission.Create:
		options = &metav1.CreateOptions{}
	case admission.Update:
		options = &metav1.UpdateOptions{}
	case admission.Delete:
		options = &metav1.DeleteOptions{}
	default:
		return nil, fmt.Errorf("no options for %s", request.Operation)
	}
	return options, json.Unmarshal(request.Options, options)
}

// matchPolicy completes the constraints like the API server before it stores them.
func matchPolicy(line policyLine, attributes admission.Attributes) (bool, error) {
	constraints := line.Policy.Spec.MatchConstraints.DeepCopy()
	if constraints.MatchPolicy == nil {
		equivalent := admissionregistration.Equivalent
		constraints.MatchPolicy = &equivalent
	}
	if constraints.NamespaceSelector == nil {
		constraints.NamespaceSelector = &metav1.LabelSelector{}
	}
	if constraints.ObjectSelector == nil {
		constraints.ObjectSelector = &metav1.LabelSelector{}
	}
	for _, rules := range [][]admissionregistration.NamedRuleWithOperations{constraints.ResourceRules, constraints.ExcludeResourceRules} {
		for index := range rules {
			if rules[index].Scope == nil {
				all := admissionregistration.AllScopes
				rules[index].Scope = &all
			}
		}
	}
	namespaces := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	if line.NamespaceObject != nil {
		namespaces.Add(line.NamespaceObject)
	}
	matcher := matching.NewMatcher(corelisters.NewNamespaceLister(namespaces), nil)
	matches, _, _, err := matcher.Matches(attributes, admission.NewObjectInterfacesFromScheme(runtime.NewScheme()), criteria{constraints})
	return matches, err
}

// criteria converts a policy's constraints for the matcher.
type criteria struct {
	constraints *admissionregistration.MatchResources
}

func (c criteria) GetParsedNamespaceSelector() (labels.Selector, error) {
	return metav1.LabelSelectorAsSelector(c.constraints.NamespaceSelector)
}

func (c criteria) GetParsedObjectSelector() (labels.Selector, error) {
	return metav1.LabelSelectorAsSelector(c.constraints.ObjectSelector)
}

func (c criteria) GetMatchResources() admissionregistration.MatchResources {
	return *c.constraints
}

type fixedAuthorizer string

func (a fixedAuthorizer) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	if a == "allow" {
		return authorizer.DecisionAllow, "", nil
	}
	return authorizer.DecisionNoOpinion, "", nil
}

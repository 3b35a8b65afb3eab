package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"preadmit.ports/protocol"
)

type pod struct {
	Metadata metav1.ObjectMeta `json:"metadata"`
	Spec     corev1.PodSpec    `json:"spec"`
}

// podSecurity answers each check in all its revisions, and the evaluation of a level and version.
func podSecurity() protocol.Port {
	port := protocol.Port{}
	for _, check := range policy.DefaultChecks() {
		port[string(check.ID)] = func(call protocol.Call) any {
			var given pod
			call.Read(0, &given)
			answers := []any{}
			for _, revision := range check.Versions {
				answers = append(answers, checkAnswer(revision.CheckPod(&given.Metadata, &given.Spec)))
			}
			return map[string]any{"value": answers}
		}
	}
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		panic(err)
	}
	port["evaluate"] = func(call protocol.Call) any {
		var given pod
		call.Read(0, &given)
		version, err := api.ParseVersion(call.Text(2))
		if err != nil {
			return map[string]any{"error": "version"}
		}
		level, err := api.ParseLevel(call.Text(1))
		if err != nil {
			return map[string]any{"error": "level"}
		}
		results := evaluator.EvaluatePod(api.LevelVersion{Level: level, Version: version}, &given.Metadata, &given.Spec)
		aggregated := policy.AggregateCheckResults(results)
		return map[string]any{"value": map[string]any{
			"allowed": aggregated.Allowed, "reason": aggregated.ForbiddenReason(), "detail": aggregated.ForbiddenDetail(),
		}}
	}
	return port
}

func checkAnswer(result policy.CheckResult) any {
	if result.Allowed {
		return nil
	}
	return []string{result.ForbiddenReason, result.ForbiddenDetail}
}

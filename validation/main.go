// Command validation is the validation of kube-apiserver's registry as a WebAssembly reactor. Its exported function answers one request of
// its host: what the server would answer to a create or an update, without admission policies and without a cluster.
package main

import (
	"encoding/json"
	"fmt"

	_ "time/tzdata" // The time zones of a CronJob; kube-apiserver links them, too.
)

// request is the host's request.
type request struct {
	// Object as the request carries it, after mutating admission.
	Object json.RawMessage `json:"object"`
	// OldObject as it is stored; absent for a create.
	OldObject json.RawMessage `json:"oldObject,omitempty"`
	// Applied: both objects are what a client applies, so the update is merged into the stored object, as kubectl, Argo CD and Flux do.
	// Otherwise Object replaces the stored object.
	Applied bool `json:"applied,omitempty"`
	// Release is the target's Kubernetes release, such as 1.34; the engine's own if empty.
	Release string `json:"release,omitempty"`
	// Gates are the feature gates whose value is known: true if on.
	Gates map[string]bool `json:"gates,omitempty"`
	// Cluster is what is known about the server's configuration and the Namespace.
	Cluster cluster `json:"cluster,omitzero"`
	// Convert is the version to convert Object to, such as autoscaling/v1, instead of validating it.
	Convert string `json:"convert,omitempty"`
	// Circumstances asks which causes of a refusal another configuration of the server would not have.
	Circumstances bool `json:"circumstances,omitempty"`
	// Echo asks for the object after defaulting and preparation.
	Echo bool `json:"echo,omitempty"`
}

// cause is an entry of `status.details.causes`.
type cause struct {
	Field   string `json:"field,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message"`
	// Depends names what of the server's configuration decides, if the cause is not certain.
	Depends string `json:"depends,omitempty"`
}

type answer struct {
	// Code is the HTTP status; 0 if the engine doesn't know the kind or couldn't read the request.
	Code     int32           `json:"code"`
	Reason   string          `json:"reason,omitempty"`
	Message  string          `json:"message,omitempty"`
	Causes   []cause         `json:"causes,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	Object   json.RawMessage `json:"object,omitempty"`
	// Unserved: the engine doesn't know the version or kind.
	Unserved bool `json:"unserved,omitempty"`
	// Failure is a mistake of the engine or its host.
	Failure string `json:"failure,omitempty"`
}

// engineRelease is the release whose code is linked.
const engineRelease = "1.36"

func main() {}

//go:wasmexport validate
func validate() {
	out, err := json.Marshal(answerTo(takeRequest()))
	if err != nil {
		out = []byte(`{"code":0,"failure":"the answer has no JSON form"}`)
	}
	give(out)
}

func answerTo(input []byte) (result answer) {
	defer func() {
		if failure := recover(); failure != nil {
			result = answer{Failure: fmt.Sprintf("the validation engine panicked: %v", failure)}
		}
	}()
	var asked request
	if err := json.Unmarshal(input, &asked); err != nil {
		return answer{Failure: err.Error()}
	}
	if err := emulate(asked.Release, asked.Gates); err != nil {
		return answer{Failure: err.Error()}
	}
	if asked.Convert != "" {
		return converted(asked)
	}
	if err := asked.Cluster.configure(); err != nil {
		return answer{Failure: err.Error()}
	}
	result = validated(asked)
	if asked.Circumstances {
		result.Causes = withCircumstances(result.Causes, asked)
	}
	return result
}

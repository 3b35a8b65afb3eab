// Command render is kustomize and Helm as a WebAssembly reactor with one exported function, which answers one request of its host.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand"
	"net/http"
	"os"
)

// request is the host's request; exactly one engine field is set.
type request struct {
	// Base of relative paths, absolute.
	Directory string            `json:"directory"`
	Kustomize *kustomizeRequest `json:"kustomize,omitempty"`
	Helm      *helmRequest      `json:"helm,omitempty"`
	Template  *templateRequest  `json:"template,omitempty"`
	// Seed of math/rand; crypto/rand reads from the host.
	Seed int64 `json:"seed"`
}

// rendered is one object of the output, in the engine's order.
type rendered struct {
	// Length in bytes of its YAML, which follows the answer.
	Length int `json:"length"`
	// Helm: the template or CustomResourceDefinition that it comes from, as in its `# Source:` line.
	Template string `json:"template,omitempty"`
	// Helm: true for a hook.
	Hook bool `json:"hook,omitempty"`
	// Kustomize with provenance: its source file or generator, its original name, and the steps that set its fields.
	Origin  json.RawMessage `json:"origin,omitempty"`
	Written *identity       `json:"written,omitempty"`
	Changes []change        `json:"changes,omitempty"`

	text []byte
}

// answer precedes the texts of its objects, which follow one after the other.
type answer struct {
	Error   string     `json:"error,omitempty"`
	Objects []rendered `json:"objects"`
	// Kustomize with provenance: the steps that ran, in order.
	Steps []step `json:"steps,omitempty"`
	// The rendering used math/rand; the host sees all other uses of chance.
	DrewNumbers bool `json:"drewNumbers,omitempty"`
	// A template called `lookup`.
	LookedUp bool `json:"lookedUp,omitempty"`
	// What the templates of charts read about the release and the cluster.
	Reads *circumstances `json:"reads,omitempty"`
}

func main() {}

func init() {
	log.SetFlags(0)
	http.DefaultTransport = refusal{}
}

// render reads the request, renders, and sends the answer; the host notices a crash by the trap.
//
//go:wasmexport render
func render() {
	give(answerTo(takeRequest()))
}

func answerTo(input []byte) (result answer) {
	defer func() {
		if failure := recover(); failure != nil {
			result = answer{Error: fmt.Sprintf("the engine panicked: %v", failure)}
		}
	}()
	var asked request
	if err := json.Unmarshal(input, &asked); err != nil {
		return answer{Error: err.Error()}
	}
	rand.Seed(asked.Seed)
	if err := os.Chdir(asked.Directory); err != nil {
		return answer{Error: err.Error()}
	}
	startRecording()
	var err error
	if asked.Helm != nil {
		answers := &lookups{finds: asked.Helm.LookupFinds}
		result.Objects, err = renderChart(asked.Helm, answers)
		result.LookedUp = answers.asked
	} else if asked.Template != nil {
		result.Objects, err = renderTexts(asked.Template)
	} else {
		result.Objects, result.Steps, err = renderKustomization(asked.Kustomize)
	}
	if err != nil {
		return answer{Error: err.Error()}
	}
	result.Reads = recorded()
	result.DrewNumbers = rand.Int63() != rand.New(rand.NewSource(asked.Seed)).Int63()
	return result
}

// refusal replaces the network, which is unavailable.
type refusal struct{}

func (refusal) RoundTrip(asked *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("nothing is fetched while rendering")
}

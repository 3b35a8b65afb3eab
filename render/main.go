// Command render is kustomize and Helm as a WebAssembly reactor: one exported function that answers one request of its host.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand"
	"net/http"
	"os"
)

// request is what the host asks; exactly one engine is named.
type request struct {
	// Where relative paths start, absolute.
	Directory string            `json:"directory"`
	Kustomize *kustomizeRequest `json:"kustomize,omitempty"`
	Helm      *helmRequest      `json:"helm,omitempty"`
	Template  *templateRequest  `json:"template,omitempty"`
	// Seed of math/rand; crypto/rand asks the host.
	Seed int64 `json:"seed"`
}

// rendered is one object of the output, in the engine's order.
type rendered struct {
	// Bytes of its YAML in the body that follows the answer.
	Length int `json:"length"`
	// Helm: the template or CustomResourceDefinition it comes from, as its `# Source:` line has it.
	Template string `json:"template,omitempty"`
	// Helm: true for a hook.
	Hook bool `json:"hook,omitempty"`
	// Kustomize with provenance: the file it was written in or what made it, its name there, and what set its fields since.
	Origin  json.RawMessage `json:"origin,omitempty"`
	Written *identity       `json:"written,omitempty"`
	Changes []change        `json:"changes,omitempty"`

	text []byte
}

// answer is followed by the texts of its objects, one after the other.
type answer struct {
	Error   string     `json:"error,omitempty"`
	Objects []rendered `json:"objects"`
	// Kustomize with provenance: what ran, in order.
	Steps []step `json:"steps,omitempty"`
	// math/rand was asked; the host sees what else was.
	DrewNumbers bool `json:"drewNumbers,omitempty"`
	// A template asked for objects of the cluster.
	LookedUp bool `json:"lookedUp,omitempty"`
}

func main() {}

func init() {
	log.SetFlags(0)
	http.DefaultTransport = refusal{}
}

// render reads the request, renders, and gives the answer; the host learns of a crash by the trap.
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
	result.DrewNumbers = rand.Int63() != rand.New(rand.NewSource(asked.Seed)).Int63()
	return result
}

// refusal is the network: there is none.
type refusal struct{}

func (refusal) RoundTrip(asked *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("nothing is fetched while rendering")
}

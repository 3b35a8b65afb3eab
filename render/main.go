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
	// Kustomize: what its annotations say, where provenance was asked for.
	Origin          json.RawMessage `json:"origin,omitempty"`
	Transformations json.RawMessage `json:"transformations,omitempty"`

	text []byte
}

// answer is followed by the texts of its objects, one after the other.
type answer struct {
	Error   string     `json:"error,omitempty"`
	Objects []rendered `json:"objects"`
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
	objects, err := renderObjects(&asked)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Objects: objects}
}

func renderObjects(asked *request) ([]rendered, error) {
	if asked.Helm != nil {
		return renderChart(asked.Helm)
	}
	if asked.Template != nil {
		return renderTexts(asked.Template)
	}
	return renderKustomization(asked.Kustomize)
}

// refusal is the network: there is none.
type refusal struct{}

func (refusal) RoundTrip(asked *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("nothing is fetched while rendering")
}

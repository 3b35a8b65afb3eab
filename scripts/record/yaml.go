package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"

	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// answerYAML returns the result of sigs.k8s.io/yaml for a text, and the documents that kubectl's decoder reads from it.
func answerYAML(asked []byte) ([]answerField, error) {
	var line struct {
		YAML       string `json:"yaml"`
		YAMLBase64 string `json:"yamlBase64"`
	}
	if err := json.Unmarshal(asked, &line); err != nil {
		return nil, err
	}
	text := []byte(line.YAML)
	if line.YAMLBase64 != "" {
		decoded, err := base64.StdEncoding.DecodeString(line.YAMLBase64)
		if err != nil {
			return nil, err
		}
		text = decoded
	}
	var answer []answerField
	written, err := yaml.YAMLToJSON(text)
	if err != nil {
		answer = append(answer, answerField{"error", err.Error()})
	} else {
		answer = append(answer, answerField{"json", json.RawMessage(written)}, answerField{"jsonText", string(written)})
	}
	if _, strictErr := yaml.YAMLToJSONStrict(text); strictErr != nil && (err == nil || strictErr.Error() != err.Error()) {
		answer = append(answer, answerField{"strictError", strictErr.Error()})
	}
	stream, streamErr := documents(text)
	answer = append(answer, answerField{"stream", stream})
	if streamErr != nil {
		answer = append(answer, answerField{"streamError", streamErr.Error()})
	}
	return answer, nil
}

func documents(text []byte) ([]string, error) {
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	stream := []string{}
	for {
		var extension runtime.RawExtension
		err := decoder.Decode(&extension)
		if err == io.EOF {
			return stream, nil
		}
		if err != nil {
			return stream, err
		}
		stream = append(stream, string(extension.Raw))
	}
}

package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

var (
	lenient = kjson.NewSerializerWithOptions(kjson.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, kjson.SerializerOptions{})
	strict  = kjson.NewSerializerWithOptions(kjson.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, kjson.SerializerOptions{Strict: true})
	// The strict serializer reports repeated keys only if it reads the text itself.
	strictYAML = kjson.NewSerializerWithOptions(kjson.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, kjson.SerializerOptions{Yaml: true, Strict: true})
)

// answerDecode returns the object of a built-in kind as its Go type holds it, without defaults.
func answerDecode(asked []byte) ([]answerField, error) {
	var line struct {
		Manifest json.RawMessage `json:"manifest"`
		YAML     string          `json:"yaml"`
	}
	if err := json.Unmarshal(asked, &line); err != nil {
		return nil, err
	}
	var answer []answerField
	strictDecoder, text := strict, []byte(line.Manifest)
	if line.YAML != "" {
		written, err := yaml.YAMLToJSON([]byte(line.YAML))
		if err != nil {
			return nil, err
		}
		line.Manifest = written
		strictDecoder, text = strictYAML, []byte(line.YAML)
		answer = append(answer, answerField{"manifest", line.Manifest})
	}
	object, _, err := lenient.Decode(line.Manifest, nil, nil)
	if err != nil {
		return append(answer, answerField{"error", err.Error()}), nil
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, err
	}
	answer = append(answer, answerField{"object", runtime.DeepCopyJSON(content)})
	if _, _, err := strictDecoder.Decode(text, nil, nil); err != nil {
		answer = append(answer, answerField{"strictError", err.Error()})
	}
	return answer, nil
}

// Records the answers of k8s.io/pod-security-admission for Pods at every level and version: one JSON line per document.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// newestMinor is one above the release of the package, so that the version cap is recorded too.
const newestMinor = 37

// podCase is the metadata and spec of a Pod, under the name of its case.
type podCase struct {
	ID       string          `json:"id"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
	Spec     json.RawMessage `json:"spec"`
}

// answer is the result of the checks from a minor version on, until the next answer.
type answer struct {
	Minor int `json:"minor"`
	// null for a check that allows the Pod, else reason and detail.
	Checks []*[2]string `json:"checks"`
	Reason string       `json:"reason"`
	Detail string       `json:"detail"`
}

type recorded struct {
	podCase
	Error      string   `json:"error,omitempty"`
	Baseline   []answer `json:"baseline,omitempty"`
	Restricted []answer `json:"restricted,omitempty"`
}

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
			line, err := record(evaluator, document)
			if err != nil {
				fail(fmt.Errorf("%s: %w", name, err))
			}
			if line != nil {
				out.Write(line)
				out.WriteByte('\n')
			}
		}
		file.Close()
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func record(evaluator policy.Evaluator, document []byte) ([]byte, error) {
	text, err := yaml.YAMLToJSON(document)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(text, []byte("null")) {
		return nil, nil
	}
	result := recorded{}
	if err := json.Unmarshal(text, &result.podCase); err != nil {
		return nil, err
	}
	var metadata metav1.ObjectMeta
	var spec corev1.PodSpec
	if err := decode(result.Metadata, &metadata); err != nil {
		result.Error = err.Error()
	} else if err := decode(result.Spec, &spec); err != nil {
		result.Error = err.Error()
	} else {
		result.Baseline = answers(evaluator, api.LevelBaseline, &metadata, &spec)
		result.Restricted = answers(evaluator, api.LevelRestricted, &metadata, &spec)
	}
	return json.Marshal(result)
}

func decode(text json.RawMessage, into any) error {
	if len(text) == 0 {
		return nil
	}
	return kjson.UnmarshalCaseSensitivePreserveInts(text, into)
}

func answers(evaluator policy.Evaluator, level api.Level, metadata *metav1.ObjectMeta, spec *corev1.PodSpec) []answer {
	var all []answer
	var before []byte
	for minor := 0; minor <= newestMinor+1; minor++ {
		version := api.MajorMinorVersion(1, minor)
		if minor > newestMinor {
			version = api.LatestVersion()
		}
		results := evaluator.EvaluatePod(api.LevelVersion{Level: level, Version: version}, metadata, spec)
		checks := make([]*[2]string, len(results))
		for index, result := range results {
			if !result.Allowed {
				checks[index] = &[2]string{result.ForbiddenReason, result.ForbiddenDetail}
			}
		}
		text, _ := json.Marshal(checks)
		if bytes.Equal(text, before) {
			continue
		}
		before = text
		aggregate := policy.AggregateCheckResults(results)
		all = append(all, answer{minor, checks, aggregate.ForbiddenReason(), aggregate.ForbiddenDetail()})
	}
	return all
}

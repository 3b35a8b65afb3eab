// Reads one JSON object per line, and prints each line with the answer of Kubernetes' own packages.
// README.md describes the suites.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"

	"k8s.io/klog/v2"
)

// answerField is one entry of an answer. Answers are lists of fields, so their order is fixed.
type answerField struct {
	name  string
	value any
}

// suites maps a suite to the function that answers one line.
var suites = map[string]func(asked []byte) ([]answerField, error){
	"cel":       answerCEL,
	"crd":       answerDefinition,
	"decode":    answerDecode,
	"typecheck": answerTypeCheck,
	"vap":       answerPolicy,
	"yaml":      answerYAML,
}

// repetitions detects answers that depend on the order of a Go map.
const repetitions = 20

func main() {
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	if len(os.Args) < 2 || suites[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: record cel|crd|decode|typecheck|vap|yaml < asked.jsonl > recorded.jsonl")
		os.Exit(2)
	}
	if err := record(suites[os.Args[1]], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func record(answer func([]byte) ([]answerField, error), input io.Reader, output io.Writer) error {
	writer := bufio.NewWriter(output)
	defer writer.Flush()
	reader := bufio.NewReaderSize(input, 1<<20)
	var undecided []string
	for {
		line, err := reader.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			recorded, answerErr := steady(answer, line)
			if answerErr != nil {
				undecided = append(undecided, fmt.Sprintf("%v: %.200s", answerErr, line))
			} else {
				writer.Write(recorded)
				writer.WriteByte('\n')
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if len(undecided) > 0 {
		return fmt.Errorf("%d lines are not recorded:\n%s", len(undecided), strings.Join(undecided, "\n"))
	}
	return nil
}

// steady returns the line with its answer, if all repetitions give the same answer.
func steady(answer func([]byte) ([]answerField, error), asked []byte) ([]byte, error) {
	var first []byte
	for repetition := range repetitions {
		fields, err := attempt(answer, asked)
		if err != nil {
			return nil, err
		}
		line, err := appendFields(asked, fields)
		if err != nil {
			return nil, err
		}
		if repetition == 0 {
			first = line
		} else if !bytes.Equal(first, line) {
			return nil, fmt.Errorf("no one answer")
		}
	}
	return first, nil
}

// attempt returns a panic as an error: lines that panic must not be recorded.
func attempt(answer func([]byte) ([]answerField, error), asked []byte) (fields []answerField, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	return answer(asked)
}

func appendFields(asked []byte, fields []answerField) ([]byte, error) {
	line := append([]byte{}, asked[:len(asked)-1]...)
	for _, each := range fields {
		value, err := marshal(each.value)
		if err != nil {
			return nil, err
		}
		line = append(line, fmt.Sprintf(",%q:", each.name)...)
		line = append(line, value...)
	}
	return append(line, '}'), nil
}

// marshal writes JSON without HTML escapes, and keeps doubles distinct from integers.
func marshal(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(markDoubles(value)); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(buffer.Bytes()), nil
}

// double is always written with a fraction or an exponent.
type double float64

func (d double) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(float64(d))
	if bytes.ContainsAny(text, ".e") {
		return text, err
	}
	return append(text, ".0"...), err
}

func markDoubles(value any) any {
	switch value := value.(type) {
	case map[string]any:
		marked := make(map[string]any, len(value))
		for key, item := range value {
			marked[key] = markDoubles(item)
		}
		return marked
	case []any:
		marked := make([]any, len(value))
		for index, item := range value {
			marked[index] = markDoubles(item)
		}
		return marked
	case float64:
		return double(value)
	}
	return value
}

func sortedKeys[V any](entries map[string]V) []string {
	keys := make([]string, 0, len(entries))
	for key := range entries {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

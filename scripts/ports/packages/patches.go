package main

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	applyconfigurations "k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"preadmit.ports/protocol"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// patches answers JSON patches and structured merges as kube-apiserver applies them.
var patches = protocol.Port{
	"json-patch": jsonPatch,
	"merge":      merge,
	"merge.built-in": func(call protocol.Call) any {
		return applied(call, applyconfigurations.NewTypeConverter(scheme.Scheme))
	},
	"merge.deduced": func(call protocol.Call) any { return applied(call, managedfields.NewDeducedTypeConverter()) },
}

type operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	From  string          `json:"from"`
	Value json.RawMessage `json:"value"`
}

// jsonPatch builds the patch as `mutating/patch/json_patch.go` does. Arguments: the document, the operations.
func jsonPatch(call protocol.Call) any {
	var written []operation
	call.Read(1, &written)
	operations := jsonpatch.Patch{}
	quoted := func(text string) *json.RawMessage {
		raw := json.RawMessage(strconv.Quote(text))
		return &raw
	}
	for _, each := range written {
		made := jsonpatch.Operation{"op": quoted(each.Op), "path": quoted(each.Path)}
		if each.From != "" {
			made["from"] = quoted(each.From)
		}
		if each.Value != nil {
			made["value"] = &each.Value
		}
		operations = append(operations, made)
	}
	patched, err := operations.Apply(call.Arguments[0])
	if errors.Is(err, jsonpatch.ErrTestFailed) {
		return map[string]any{"testFailed": true}
	}
	if err != nil {
		return protocol.Failed(err)
	}
	return document(patched)
}

func document(text []byte) any {
	var value any
	if err := utiljson.Unmarshal(text, &value); err != nil {
		return protocol.Failed(err)
	}
	return map[string]any{"value": protocol.Tag(reflect.ValueOf(value))}
}

// merge is `TypedValue.Merge` with a given schema. Arguments: the schema, the name of the type, the live value, the applied value.
func merge(call protocol.Call) any {
	parser, err := typed.NewParser(typed.YAMLObject(call.Text(0)))
	if err != nil {
		panic("harness: " + err.Error())
	}
	read := func(index int) any {
		var value any
		if err := utiljson.Unmarshal(call.Arguments[index], &value); err != nil {
			panic("harness: " + err.Error())
		}
		return value
	}
	parseable := parser.Type(call.Text(1))
	applied, err := parseable.FromUnstructured(read(3))
	if err != nil {
		return map[string]any{"appliedError": err.Error()}
	}
	live, err := parseable.FromUnstructured(read(2), typed.AllowDuplicates)
	if err != nil {
		return map[string]any{"liveError": err.Error()}
	}
	merged, err := live.Merge(applied)
	if err != nil {
		return protocol.Failed(err)
	}
	return map[string]any{"value": protocol.Tag(reflect.ValueOf(merged.AsValue().Unstructured()))}
}

// applied is `ApplyStructuredMergeDiff`. Arguments: the live object, the configuration.
func applied(call protocol.Call, converter managedfields.TypeConverter) any {
	read := func(index int) *unstructured.Unstructured {
		var object map[string]any
		if err := utiljson.Unmarshal(call.Arguments[index], &object); err != nil {
			panic("harness: " + err.Error())
		}
		return &unstructured.Unstructured{Object: object}
	}
	merged, err := patch.ApplyStructuredMergeDiff(converter, read(0), read(1))
	if err != nil {
		return protocol.Failed(err)
	}
	return map[string]any{"value": protocol.Tag(reflect.ValueOf(merged.(*unstructured.Unstructured).Object))}
}

package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/blang/semver/v4"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

// boundObject is the value of `object` in expressions; `oldObject` and `params` are null.
var boundObject = map[string]any{
	"metadata": map[string]any{
		"name":   "n",
		"labels": map[string]any{"a": "b", "app.kubernetes.io/name": "x"},
	},
	"spec": map[string]any{
		"replicas": int64(3),
		"list":     []any{int64(1), int64(2), int64(3)},
		"none":     nil,
		"objs":     []any{map[string]any{"name": "c", "image": "i"}},
		"ratio":    1.5,
		"paused":   true,
		"strs":     []any{"a", "b"},
	},
}

var expressions = expressionEnvironment()

// expressionEnvironment compiles stored expressions like Kubernetes 1.36, with three variables of any type.
func expressionEnvironment() *cel.Env {
	extended, err := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			cel.Variable("object", cel.DynType),
			cel.Variable("oldObject", cel.DynType),
			cel.Variable("params", cel.DynType),
		},
	}, environment.StrictCostOpt)
	if err != nil {
		panic(err)
	}
	env, err := extended.Env(environment.StoredExpressions)
	if err != nil {
		panic(err)
	}
	return env
}

// answerCEL returns the type, value and cost of an expression, or the error of the stage that failed.
func answerCEL(asked []byte) ([]answerField, error) {
	var line struct {
		Expr string `json:"expr"`
	}
	if err := json.Unmarshal(asked, &line); err != nil {
		return nil, err
	}
	ast, issues := expressions.Compile(line.Expr)
	if issues != nil && issues.Err() != nil {
		return []answerField{{"compileError", issues.String()}}, nil
	}
	answer := []answerField{{"type", ast.OutputType().String()}}
	program, err := expressions.Program(ast)
	if err != nil {
		return append(answer, answerField{"programError", err.Error()}), nil
	}
	value, details, err := program.Eval(map[string]any{"object": boundObject, "oldObject": nil, "params": nil})
	if err != nil {
		answer = append(answer, answerField{"error", err.Error()})
	} else {
		tagged, err := tag(value)
		if err != nil {
			return nil, err
		}
		answer = append(answer, answerField{"value", tagged})
	}
	if cost := details.ActualCost(); cost != nil {
		answer = append(answer, answerField{"cost", *cost})
	}
	return answer, nil
}

// tag encodes a value as JSON under the name of its type, with numbers as text.
func tag(value ref.Val) (any, error) {
	switch value := value.(type) {
	case types.Null:
		return map[string]any{"null": nil}, nil
	case types.Bool:
		return map[string]any{"bool": bool(value)}, nil
	case types.Int:
		return map[string]any{"int": strconv.FormatInt(int64(value), 10)}, nil
	case types.Uint:
		return map[string]any{"uint": strconv.FormatUint(uint64(value), 10)}, nil
	case types.Double:
		return map[string]any{"double": strconv.FormatFloat(float64(value), 'g', -1, 64)}, nil
	case types.String:
		return map[string]any{"string": string(value)}, nil
	case types.Bytes:
		return map[string]any{"bytes": base64.StdEncoding.EncodeToString(value)}, nil
	case types.Timestamp:
		return map[string]any{"timestamp": value.Time.UTC().Format(time.RFC3339Nano)}, nil
	case types.Duration:
		return map[string]any{"duration": value.Duration.String()}, nil
	case *types.Optional:
		if !value.HasValue() {
			return map[string]any{"optional": nil}, nil
		}
		item, err := tag(value.GetValue())
		return map[string]any{"optional": []any{item}}, err
	case *types.Type:
		return map[string]any{"type": value.String()}, nil
	case traits.Mapper:
		return tagMap(value)
	case traits.Lister:
		items := []any{}
		for iterator := value.Iterator(); iterator.HasNext() == types.True; {
			item, err := tag(iterator.Next())
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		return map[string]any{"list": items}, nil
	}
	name := strings.ToLower(value.Type().TypeName())
	name = name[strings.LastIndex(name, ".")+1:]
	switch native := value.Value().(type) {
	case *resource.Quantity:
		return map[string]any{name: native.String()}, nil
	case netip.Addr:
		return map[string]any{name: native.String()}, nil
	case netip.Prefix:
		return map[string]any{name: native.String()}, nil
	case *url.URL:
		return map[string]any{name: native.String()}, nil
	case semver.Version:
		return map[string]any{name: native.String()}, nil
	}
	return nil, fmt.Errorf("a value of %s (%v)", value.Type(), reflect.TypeOf(value.Value()))
}

// tagMap sorts the entries by the JSON of their keys.
func tagMap(value traits.Mapper) (any, error) {
	type entry struct {
		order string
		pair  []any
	}
	entries := []entry{}
	for iterator := value.Iterator(); iterator.HasNext() == types.True; {
		native := iterator.Next()
		key, err := tag(native)
		if err != nil {
			return nil, err
		}
		item, err := tag(value.Get(native))
		if err != nil {
			return nil, err
		}
		order, err := marshal(key)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{string(order), []any{key, item}})
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].order < entries[j].order })
	pairs := make([]any, len(entries))
	for index, each := range entries {
		pairs[index] = each.pair
	}
	return map[string]any{"map": pairs}, nil
}

package protocol

import (
	"encoding/base64"
	"fmt"
	"net/netip"
	"net/url"
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
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Expressions answers CEL expressions: the arguments are the expression, and the value of `object`.
func Expressions(env *cel.Env, options ...cel.ProgramOption) Port {
	return Port{"": func(call Call) any {
		var object any
		if err := utiljson.Unmarshal([]byte(call.Text(1)), &object); err != nil {
			panic(err)
		}
		ast, issues := env.Compile(call.Text(0))
		if issues != nil && issues.Err() != nil {
			return map[string]any{"compileError": issues.String()}
		}
		answer := map[string]any{"type": ast.OutputType().String()}
		program, err := env.Program(ast, options...)
		if err != nil {
			answer["programError"] = err.Error()
			return answer
		}
		value, details, err := program.Eval(map[string]any{"object": object})
		if err != nil {
			answer["error"] = err.Error()
		} else {
			answer["value"] = tag(value)
		}
		if details != nil && details.ActualCost() != nil {
			answer["cost"] = *details.ActualCost()
		}
		return answer
	}}
}

// Overloads lists the declared overloads as `function: id`.
func Overloads(env *cel.Env) any {
	listed := []string{}
	for name, function := range env.Functions() {
		for _, overload := range function.OverloadDecls() {
			listed = append(listed, name+": "+overload.ID())
		}
	}
	sort.Strings(listed)
	return listed
}

// tag encodes a value as JSON under the name of its type, with numbers as text.
func tag(value ref.Val) any {
	switch value := value.(type) {
	case types.Null:
		return map[string]any{"null": nil}
	case types.Bool:
		return map[string]any{"bool": bool(value)}
	case types.Int:
		return map[string]any{"int": strconv.FormatInt(int64(value), 10)}
	case types.Uint:
		return map[string]any{"uint": strconv.FormatUint(uint64(value), 10)}
	case types.Double:
		return map[string]any{"double": strconv.FormatFloat(float64(value), 'g', -1, 64)}
	case types.String:
		return map[string]any{"string": string(value)}
	case types.Bytes:
		return map[string]any{"bytes": base64.StdEncoding.EncodeToString(value)}
	case types.Timestamp:
		return map[string]any{"timestamp": value.Time.UTC().Format(time.RFC3339Nano)}
	case types.Duration:
		return map[string]any{"duration": value.Duration.String()}
	case *types.Optional:
		if !value.HasValue() {
			return map[string]any{"optional": nil}
		}
		return map[string]any{"optional": []any{tag(value.GetValue())}}
	case *types.Type:
		return map[string]any{"type": value.String()}
	case traits.Mapper:
		return tagMap(value)
	case traits.Lister:
		items := []any{}
		for iterator := value.Iterator(); iterator.HasNext() == types.True; {
			items = append(items, tag(iterator.Next()))
		}
		return map[string]any{"list": items}
	}
	name := strings.ToLower(value.Type().TypeName())
	name = name[strings.LastIndex(name, ".")+1:]
	switch native := value.Value().(type) {
	case *resource.Quantity:
		return map[string]any{name: native.String()}
	case netip.Addr:
		return map[string]any{name: native.String()}
	case netip.Prefix:
		return map[string]any{name: native.String()}
	case *url.URL:
		return map[string]any{name: native.String()}
	case semver.Version:
		return map[string]any{name: native.String()}
	}
	// A value without text.
	return map[string]any{}
}

// tagMap sorts the entries by the JSON of their keys.
func tagMap(value traits.Mapper) any {
	type entry struct {
		order string
		pair  []any
	}
	entries := []entry{}
	for iterator := value.Iterator(); iterator.HasNext() == types.True; {
		native := iterator.Next()
		key := tag(native)
		entries = append(entries, entry{fmt.Sprint(key), []any{key, tag(value.Get(native))}})
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].order < entries[j].order })
	pairs := make([]any, len(entries))
	for index, each := range entries {
		pairs[index] = each.pair
	}
	return map[string]any{"map": pairs}
}

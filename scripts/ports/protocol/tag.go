package protocol

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
)

// Tag encodes a native value as JSON that keeps integers apart from floats. The entries of maps are sorted.
func Tag(value reflect.Value) any {
	switch value.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Interface, reflect.Pointer:
		return Tag(value.Elem())
	case reflect.Bool:
		return value.Bool()
	case reflect.String:
		return value.String()
	case reflect.Float32, reflect.Float64:
		if number := value.Float(); !math.IsNaN(number) && !math.IsInf(number, 0) {
			return number
		}
		return map[string]any{"float": map[bool]string{true: "NaN", false: strconv.FormatFloat(value.Float(), 'g', -1, 64)}[math.IsNaN(value.Float())]}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return map[string]any{"int": strconv.FormatInt(value.Int(), 10)}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return map[string]any{"int": strconv.FormatUint(value.Uint(), 10)}
	case reflect.Slice, reflect.Array:
		items := make([]any, value.Len())
		for index := range items {
			items[index] = Tag(value.Index(index))
		}
		return items
	case reflect.Map:
		entries := [][]any{}
		for _, key := range value.MapKeys() {
			entries = append(entries, []any{fmt.Sprint(key), Tag(value.MapIndex(key))})
		}
		sort.Slice(entries, func(i, j int) bool { return entries[i][0].(string) < entries[j][0].(string) })
		return map[string]any{"map": entries}
	}
	// An expression reference has no members that queries can read.
	return map[string]any{"map": []any{}}
}

// Go's standard library, and the semantic versions that Kubernetes and Kyverno use.
package main

import (
	"iter"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"preadmit.ports/protocol"
)

func main() {
	time.Local = time.UTC
	port := protocol.Port{}
	for _, functions := range []protocol.Port{text, numbers, times, addresses} {
		maps.Copy(port, functions)
	}
	protocol.Serve(protocol.Program{
		Ports:   map[string]protocol.Port{"go": port},
		Surface: map[string]func() any{"go": func() any { return characterProperties() }},
	})
}

// characterProperties lists the names that `\p` accepts, without case, hyphens and underscores, which Go ignores.
func characterProperties() []string {
	accepted := []string{}
	for _, names := range []iter.Seq[string]{
		maps.Keys(unicode.Categories), maps.Keys(unicode.Scripts), maps.Keys(unicode.CategoryAliases), slices.Values([]string{"Any", "ASCII", "Assigned"}),
	} {
		for name := range names {
			if _, err := regexp.Compile(`\p{` + name + `}`); err == nil {
				accepted = append(accepted, strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)))
			}
		}
	}
	slices.Sort(accepted)
	return slices.Compact(accepted)
}

// bytesOf decodes an argument with one character per byte.
func bytesOf(call protocol.Call, index int) string {
	characters := []rune(call.Text(index))
	bytes := make([]byte, len(characters))
	for at, character := range characters {
		bytes[at] = byte(character)
	}
	return string(bytes)
}

// written encodes a text that may not be UTF-8, with one character per byte.
func written(text string) string {
	characters := make([]rune, len(text))
	for at := range len(text) {
		characters[at] = rune(text[at])
	}
	return string(characters)
}

func integer(call protocol.Call, index int) int64 {
	value, err := strconv.ParseInt(call.Text(index), 10, 64)
	if err != nil {
		panic("harness: " + err.Error())
	}
	return value
}

func value(value any) any {
	return map[string]any{"value": value}
}

func answered(value any, err error) any {
	return protocol.Answered(value, err)
}

// setDebug sets a setting of GODEBUG for one call.
func setDebug(setting string, call func() any) any {
	os.Setenv("GODEBUG", setting)
	defer os.Setenv("GODEBUG", "")
	return call()
}

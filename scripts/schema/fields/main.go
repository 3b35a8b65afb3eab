// Prints the Go structure of every registered external API type of Kubernetes as JSON, the input of ../structs.ts.
// Built in a scratch module against one release of k8s.io/kubernetes; see ../README.md.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apimachinery/pkg/runtime"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "preadmit.scratch/install"
)

type field struct {
	// Name is empty for an embedded struct, whose fields belong to the outer struct.
	Name      string `json:"name"`
	Type      string `json:"type"`
	OmitEmpty bool   `json:"omitempty,omitempty"`
	OmitZero  bool   `json:"omitzero,omitempty"`
}

type output struct {
	// Kinds maps "group/version Kind" to the name of its struct.
	Kinds map[string]string `json:"kinds"`
	// Structs maps a struct's name to its fields in Go's order.
	Structs map[string][]field `json:"structs"`
	// Named maps named types that are not structs to their underlying type, e.g. "core/v1.Protocol" to "string".
	Named map[string]string `json:"named"`
	// Custom lists the types with their own JSON decoding.
	Custom []string `json:"custom"`
}

var (
	marshaler   = reflect.TypeFor[json.Marshaler]()
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
)

// Prefixes of package paths that carry no information; the longest match is removed.
var prefixes = []string{
	"k8s.io/api/",
	"k8s.io/apimachinery/pkg/apis/",
	"k8s.io/apimachinery/pkg/util/",
	"k8s.io/apimachinery/pkg/api/",
	"k8s.io/apimachinery/pkg/",
	"k8s.io/apiextensions-apiserver/pkg/apis/",
	"k8s.io/kube-aggregator/pkg/apis/",
}

var out = output{Kinds: map[string]string{}, Structs: map[string][]field{}, Named: map[string]string{}}
var custom = map[string]bool{}

func main() {
	apiextensions.Install(legacyscheme.Scheme)
	apiregistration.Install(legacyscheme.Scheme)
	for kind, goType := range legacyscheme.Scheme.AllKnownTypes() {
		if kind.Version == runtime.APIVersionInternal {
			continue
		}
		out.Kinds[kind.GroupVersion().String()+" "+kind.Kind] = describe(goType)
	}
	for name := range custom {
		out.Custom = append(out.Custom, name)
	}
	sort.Strings(out.Custom)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(out); err != nil {
		panic(err)
	}
}

// describe writes a type like Go, with shortened package paths, and records the types in it.
func describe(t reflect.Type) string {
	if t.Name() != "" && t.PkgPath() != "" {
		name := typeName(t)
		if reflect.PointerTo(t).Implements(unmarshaler) {
			custom[name] = true
		} else if reflect.PointerTo(t).Implements(marshaler) {
			panic("encoding of its own but no decoding: " + name)
		} else if t.Kind() == reflect.Struct {
			describeStruct(name, t)
		} else {
			out.Named[name] = underlying(t)
		}
		return name
	}
	return underlying(t)
}

func underlying(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + describe(t.Elem())
	case reflect.Slice:
		return "[]" + describe(t.Elem())
	case reflect.Map:
		return "map[" + describe(t.Key()) + "]" + describe(t.Elem())
	case reflect.Struct, reflect.Interface, reflect.Array:
		panic("unnamed or unexpected type " + t.String())
	}
	return t.Kind().String()
}

func describeStruct(name string, t reflect.Type) {
	if _, known := out.Structs[name]; known {
		return
	}
	out.Structs[name] = nil
	out.Structs[name] = fieldsOf(t)
}

func fieldsOf(t reflect.Type) []field {
	fields := []field{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		if name == "-" || (!f.IsExported() && !f.Anonymous) {
			continue
		}
		if f.Anonymous && name == "" {
			if f.Type.Kind() != reflect.Struct || f.Name != f.Type.Name() {
				panic("unusual embedded field in " + t.String())
			}
			fields = append(fields, field{Type: describe(f.Type)})
			continue
		}
		if !tagged || name == "" || hasOption(options, "string") {
			panic("unusual field in " + t.String() + ": " + f.Name)
		}
		fields = append(fields, field{
			Name:      name,
			Type:      describe(f.Type),
			OmitEmpty: hasOption(options, "omitempty"),
			OmitZero:  hasOption(options, "omitzero"),
		})
	}
	return fields
}

func hasOption(options, option string) bool {
	for _, o := range strings.Split(options, ",") {
		if o == option {
			return true
		}
	}
	return false
}

func typeName(t reflect.Type) string {
	path := t.PkgPath()
	best := ""
	for _, prefix := range prefixes {
		if strings.HasPrefix(path, prefix) && len(prefix) > len(best) {
			best = prefix
		}
	}
	return path[len(best):] + "." + t.Name()
}

// The packages that Kyverno 1.19 uses.
package main

import (
	"encoding/json"
	"io"
	"reflect"
	"sort"

	"github.com/google/cel-go/cel"
	"github.com/kyverno/kyverno/pkg/cel/compiler"
	"github.com/kyverno/kyverno/pkg/config"
	"github.com/kyverno/kyverno/pkg/engine/jmespath"
	"github.com/kyverno/sdk/extensions/cel/libs/gzip"
	"github.com/kyverno/sdk/extensions/cel/libs/hash"
	"github.com/kyverno/sdk/extensions/cel/libs/image"
	celjson "github.com/kyverno/sdk/extensions/cel/libs/json"
	"github.com/kyverno/sdk/extensions/cel/libs/math"
	"github.com/kyverno/sdk/extensions/cel/libs/random"
	"github.com/kyverno/sdk/extensions/cel/libs/time"
	"github.com/kyverno/sdk/extensions/cel/libs/transform"
	"github.com/kyverno/sdk/extensions/cel/libs/user"
	"github.com/kyverno/sdk/extensions/cel/libs/x509"
	"github.com/kyverno/sdk/extensions/cel/libs/yaml"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/klog/v2"
	"preadmit.ports/protocol"
)

func main() {
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	env := expressionEnvironment()
	queries := jmespath.New(config.NewDefaultConfiguration(false))
	protocol.Serve(protocol.Program{
		Ports: map[string]protocol.Port{
			"kyverno-cel": protocol.Expressions(env),
			"jmespath":    {"": func(call protocol.Call) any { return search(queries, call) }},
		},
		Surface: map[string]func() any{
			"kyverno-cel": func() any { return protocol.Overloads(env) },
			"jmespath":    functionNames,
		},
	})
}

// expressionEnvironment has the options of `createBaseVpolEnv` (`pkg/cel/policies/vpol/compiler`), without the libraries that read a cluster, a
// registry or a server.
func expressionEnvironment() *cel.Env {
	introduced := version.MajorMinor(1, 0)
	options := append(compiler.DefaultEnvOptionsWithCompat(), cel.Variable(compiler.ObjectKey, cel.DynType))
	libraries := []cel.EnvOption{
		image.Lib(image.Latest()),
		user.Lib(user.Latest()),
		hash.Lib(hash.Latest()),
		math.Lib(math.Latest()),
		celjson.Lib(&celjson.JsonImpl{}, celjson.Latest()),
		yaml.Lib(&yaml.YamlImpl{}, yaml.Latest()),
		random.Lib(random.Latest()),
		x509.Lib(x509.Latest()),
		time.Lib(time.Latest()),
		transform.Lib(transform.Latest()),
		gzip.Lib(gzip.Latest()),
	}
	extended, err := environment.MustBaseEnvSet(introduced).Extend(
		environment.VersionedOptions{IntroducedVersion: introduced, EnvOptions: options},
		environment.VersionedOptions{IntroducedVersion: introduced, EnvOptions: libraries},
	)
	if err != nil {
		panic(err)
	}
	env, err := extended.Env(environment.StoredExpressions)
	if err != nil {
		panic(err)
	}
	return env
}

// search answers a query about a document. The third argument is true if whole numbers are int64, as in objects that Kyverno did not decode from
// a request.
func search(queries jmespath.Interface, call protocol.Call) any {
	var document any
	var hasIntegers bool
	call.Read(2, &hasIntegers)
	decode := json.Unmarshal
	if hasIntegers {
		decode = utiljson.Unmarshal
	}
	if err := decode([]byte(call.Text(1)), &document); err != nil {
		panic(err)
	}
	query, err := queries.Query(call.Text(0))
	if err != nil {
		return map[string]any{"compileError": err.Error()}
	}
	found, err := query.Search(document)
	if err != nil {
		return protocol.Failed(err)
	}
	return map[string]any{"value": protocol.Tag(reflect.ValueOf(found))}
}

func functionNames() any {
	names := []string{}
	for _, function := range jmespath.GetFunctions(config.NewDefaultConfiguration(false)) {
		names = append(names, function.Name)
	}
	sort.Strings(names)
	return names
}

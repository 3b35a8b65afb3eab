// The packages that kube-apiserver 1.36 uses.
package main

import (
	"io"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/klog/v2"
	"preadmit.ports/protocol"
)

func main() {
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	env := expressionEnvironment()
	protocol.Serve(protocol.Program{
		Ports: map[string]protocol.Port{
			"cel": protocol.Expressions(env),
		},
		Surface: map[string]func() any{
			"cel": func() any { return protocol.Overloads(env) },
		},
	})
}

// expressionEnvironment compiles stored expressions.
func expressionEnvironment() *cel.Env {
	extended, err := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("object", cel.DynType)},
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

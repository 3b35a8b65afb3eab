// The packages of Kubernetes and of controllers whose behaviour is ported: apimachinery, structured merge, JSON patch, Pod Security, Flux, Argo CD.
package main

import (
	"io"

	"k8s.io/klog/v2"
	"preadmit.ports/protocol"
)

func main() {
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	protocol.Serve(protocol.Program{
		Ports: map[string]protocol.Port{
			"apimachinery": apimachinery,
			"patches":      patches,
			"pod-security": podSecurity(),
			"globs":        globs,
		},
		Surface: map[string]func() any{
			"apimachinery": func() any { return namesOf(apimachinery) },
			"patches":      func() any { return namesOf(patches) },
			"pod-security": func() any { return namesOf(podSecurity()) },
			"globs":        func() any { return namesOf(globs) },
		},
	})
}

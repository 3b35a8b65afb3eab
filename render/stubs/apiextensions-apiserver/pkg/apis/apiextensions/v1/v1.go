// Package v1 adds the group of CustomResourceDefinitions to what Helm takes for known.
package v1

import "k8s.io/client-go/kubernetes/scheme"

// AddToScheme does nothing: the list of versions holds the group already.
func AddToScheme(*scheme.APIVersions) error { return nil }

// Package v1 adds the group of CustomResourceDefinitions to Helm's known API versions.
package v1

import "k8s.io/client-go/kubernetes/scheme"

// AddToScheme does nothing, because the list of versions already contains the group.
func AddToScheme(*scheme.APIVersions) error { return nil }

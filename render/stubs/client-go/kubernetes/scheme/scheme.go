// Package scheme replaces the typed client's scheme; Helm only reads the known API versions from it.
package scheme

import "k8s.io/apimachinery/pkg/runtime/schema"

// APIVersions offers the part of a scheme that Helm uses.
type APIVersions struct{}

// Scheme has the versions that `helm template` knows without a cluster.
var Scheme = &APIVersions{}

// PrioritizedVersionsAllGroups returns them in the client's registration order.
func (*APIVersions) PrioritizedVersionsAllGroups() []schema.GroupVersion { return versions }

// Versions registered by k8s.io/client-go v0.37.0 and k8s.io/apiextensions-apiserver v0.37.0.
var versions = []schema.GroupVersion{
	{Group: "", Version: "v1"},
	{Group: "admissionregistration.k8s.io", Version: "v1"},
	{Group: "admissionregistration.k8s.io", Version: "v1alpha1"},
	{Group: "admissionregistration.k8s.io", Version: "v1beta1"},
	{Group: "internal.apiserver.k8s.io", Version: "v1alpha1"},
	{Group: "apps", Version: "v1"},
	{Group: "apps", Version: "v1beta1"},
	{Group: "apps", Version: "v1beta2"},
	{Group: "authentication.k8s.io", Version: "v1"},
	{Group: "authentication.k8s.io", Version: "v1alpha1"},
	{Group: "authentication.k8s.io", Version: "v1beta1"},
	{Group: "authorization.k8s.io", Version: "v1"},
	{Group: "authorization.k8s.io", Version: "v1beta1"},
	{Group: "autoscaling", Version: "v1"},
	{Group: "autoscaling", Version: "v2"},
	{Group: "batch", Version: "v1"},
	{Group: "batch", Version: "v1beta1"},
	{Group: "certificates.k8s.io", Version: "v1"},
	{Group: "certificates.k8s.io", Version: "v1beta1"},
	{Group: "certificates.k8s.io", Version: "v1alpha1"},
	{Group: "coordination.k8s.io", Version: "v1alpha2"},
	{Group: "coordination.k8s.io", Version: "v1beta1"},
	{Group: "coordination.k8s.io", Version: "v1"},
	{Group: "discovery.k8s.io", Version: "v1"},
	{Group: "discovery.k8s.io", Version: "v1beta1"},
	{Group: "events.k8s.io", Version: "v1"},
	{Group: "events.k8s.io", Version: "v1beta1"},
	{Group: "extensions", Version: "v1beta1"},
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1"},
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1beta1"},
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1beta2"},
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1beta3"},
	{Group: "lifecycle.k8s.io", Version: "v1alpha1"},
	{Group: "networking.k8s.io", Version: "v1"},
	{Group: "networking.k8s.io", Version: "v1beta1"},
	{Group: "node.k8s.io", Version: "v1"},
	{Group: "node.k8s.io", Version: "v1alpha1"},
	{Group: "node.k8s.io", Version: "v1beta1"},
	{Group: "policy", Version: "v1"},
	{Group: "policy", Version: "v1beta1"},
	{Group: "rbac.authorization.k8s.io", Version: "v1"},
	{Group: "rbac.authorization.k8s.io", Version: "v1beta1"},
	{Group: "rbac.authorization.k8s.io", Version: "v1alpha1"},
	{Group: "resource.k8s.io", Version: "v1"},
	{Group: "resource.k8s.io", Version: "v1beta2"},
	{Group: "resource.k8s.io", Version: "v1beta1"},
	{Group: "resource.k8s.io", Version: "v1alpha3"},
	{Group: "scheduling.k8s.io", Version: "v1alpha3"},
	{Group: "scheduling.k8s.io", Version: "v1beta1"},
	{Group: "scheduling.k8s.io", Version: "v1"},
	{Group: "storage.k8s.io", Version: "v1beta1"},
	{Group: "storage.k8s.io", Version: "v1"},
	{Group: "storage.k8s.io", Version: "v1alpha1"},
	{Group: "storagemigration.k8s.io", Version: "v1"},
	{Group: "storagemigration.k8s.io", Version: "v1beta1"},
	{Group: "apiextensions.k8s.io", Version: "v1beta1"},
	{Group: "apiextensions.k8s.io", Version: "v1"},
}

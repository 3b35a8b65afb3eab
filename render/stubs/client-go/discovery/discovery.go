// Package discovery stands in for asking a cluster what it serves.
package discovery

import (
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// DiscoveryClient is never made.
type DiscoveryClient struct{}

// NewDiscoveryClientForConfig refuses: there is no cluster.
func NewDiscoveryClientForConfig(*rest.Config) (*DiscoveryClient, error) {
	return nil, errors.New("no cluster to ask")
}

// ServerResourcesForGroupVersion refuses: there is no cluster.
func (*DiscoveryClient) ServerResourcesForGroupVersion(string) (*metav1.APIResourceList, error) {
	return nil, errors.New("no cluster to ask")
}

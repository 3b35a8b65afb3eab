package v1

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// NamespaceInterface is what strategies of dynamic resource allocation would ask for the Namespace of a claim.
type NamespaceInterface interface {
	Get(ctx context.Context, name string, options metav1.GetOptions) (*corev1.Namespace, error)
}

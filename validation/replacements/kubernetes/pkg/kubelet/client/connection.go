package client

import (
	"context"
	"net/http"

	"k8s.io/apimachinery/pkg/types"
)

// ConnectionInfo appears in signatures of the strategies of nodes and pods only.
type ConnectionInfo struct {
	Scheme                         string
	Hostname                       string
	Port                           string
	Transport                      http.RoundTripper
	InsecureSkipTLSVerifyTransport http.RoundTripper
	NodeFeatures                   []string
}

type ConnectionInfoGetter interface {
	GetConnectionInfo(ctx context.Context, nodeName types.NodeName) (*ConnectionInfo, error)
}

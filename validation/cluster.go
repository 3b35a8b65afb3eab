package main

import (
	"fmt"
	"net"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/capabilities"
	services "k8s.io/kubernetes/pkg/registry/core/service/storage"
	"k8s.io/kubernetes/pkg/registry/resource"
)

// cluster is what the strategies would read from the server's flags and from its Namespaces. What is absent is unknown.
type cluster struct {
	// Families are the IP families of Services; the first one is the default.
	Families []core.IPFamily `json:"families,omitempty"`
	// Addresses are the ranges of --service-cluster-ip-range and of ServiceCIDRs.
	Addresses []string `json:"addresses,omitempty"`
	// NodePorts is --service-node-port-range.
	NodePorts string `json:"nodePorts,omitempty"`
	// Unprivileged: --allow-privileged is false. Every distribution sets it to true.
	Unprivileged bool `json:"unprivileged,omitempty"`
	// NamespaceLabels are those of the object's Namespace.
	NamespaceLabels map[string]string `json:"namespaceLabels,omitempty"`
}

// configure sets what the strategies read.
func (of cluster) configure() error {
	services.Families = of.Families
	if len(of.Families) == 0 {
		services.Families = []core.IPFamily{core.IPv4Protocol}
	}
	services.Addresses = nil
	for _, each := range of.Addresses {
		_, parsed, err := net.ParseCIDR(each)
		if err != nil {
			return fmt.Errorf("the range of addresses %s: %w", each, err)
		}
		services.Addresses = append(services.Addresses, parsed)
	}
	services.NodePorts = nil
	if of.NodePorts != "" {
		parsed, err := utilnet.ParsePortRange(of.NodePorts)
		if err != nil {
			return err
		}
		services.NodePorts = parsed
	}
	resource.NamespaceLabels = of.NamespaceLabels
	if allowed := !of.Unprivileged; capabilities.Get().AllowPrivileged != allowed {
		capabilities.ResetForTest()
		capabilities.Setup(allowed, 0)
	}
	return nil
}

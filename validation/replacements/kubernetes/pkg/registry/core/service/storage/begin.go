package storage

import (
	"errors"
	"fmt"
	"net"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
	netutils "k8s.io/utils/net"
)

// After and Before tell the two states of a Service apart, as in storage.go.
type After struct{ *api.Service }
type Before struct{ *api.Service }

// Families are the cluster's IP families; the first one is the default.
var Families = []api.IPFamily{api.IPv4Protocol}

// Addresses are the ranges of the cluster's Services; empty: every address is in range.
var Addresses []*net.IPNet

// NodePorts is the range of node ports; nil: every port is in range.
var NodePorts *utilnet.PortRange

// BeginCreate does what the REST storage does before the strategy. Addresses and ports are not allocated but have fixed values.
func BeginCreate(service *api.Service) error {
	normalizeClusterIPs(After{service}, Before{nil})
	allocators := ofCluster()
	if err := allocators.initIPFamilyFields(After{service}, Before{nil}); err != nil {
		return err
	}
	if err := inRange(service, &api.Service{}); err != nil {
		return err
	}
	allocate(service)
	return nil
}

// BeginUpdate is BeginCreate for an update.
func BeginUpdate(service, old *api.Service) error {
	after, before := After{service}, Before{old}
	patchAllocatedValues(after, before)
	normalizeClusterIPs(after, before)
	allocators := ofCluster()
	if err := allocators.initIPFamilyFields(after, before); err != nil {
		return err
	}
	if err := inRange(service, old); err != nil {
		return err
	}
	allocate(service)
	return nil
}

func ofCluster() *Allocators {
	byFamily := map[api.IPFamily]ipallocator.Interface{}
	for _, family := range Families {
		byFamily[family] = unlimited{family}
	}
	return &Allocators{defaultServiceIPFamily: Families[0], serviceIPAllocatorsByFamily: byFamily}
}

const (
	firstNodePort       = 32000
	healthCheckNodePort = 32700
)

var clusterIPs = map[api.IPFamily]string{api.IPv4Protocol: "10.96.0.10", api.IPv6Protocol: "fd00:10:96::a"}

func allocate(service *api.Service) {
	spec := &service.Spec
	if needsClusterIP(service) && spec.ClusterIP == "" && len(spec.ClusterIPs) == 0 {
		for _, family := range spec.IPFamilies {
			spec.ClusterIPs = append(spec.ClusterIPs, clusterIPs[family])
		}
		if len(spec.ClusterIPs) > 0 {
			spec.ClusterIP = spec.ClusterIPs[0]
		}
	}
	if needsNodePort(service) {
		for i := range spec.Ports {
			if spec.Ports[i].NodePort == 0 {
				spec.Ports[i].NodePort = int32(firstNodePort + i)
			}
		}
	}
	if needsHCNodePort(service) && spec.HealthCheckNodePort == 0 {
		spec.HealthCheckNodePort = healthCheckNodePort
	}
}

// WithoutRanges calls a function with every address and port in range.
func WithoutRanges(call func() error) error {
	addresses, ports := Addresses, NodePorts
	defer func() { Addresses, NodePorts = addresses, ports }()
	Addresses, NodePorts = nil, nil
	return call()
}

// inRange refuses what the allocators refuse (alloc.go: allocIPs, initNodePorts, updateNodePorts, allocHealthCheckNodePort), in their order.
// What the old Service has is allocated already.
func inRange(service, old *api.Service) error {
	if service.Spec.Type == api.ServiceTypeExternalName {
		return nil
	}
	known := map[string]bool{api.ClusterIPNone: true, "": true}
	for _, address := range old.Spec.ClusterIPs {
		known[address] = true
	}
	for _, address := range service.Spec.ClusterIPs {
		parsed := netutils.ParseIPSloppy(address)
		if known[address] || parsed == nil || contains(parsed) {
			continue
		}
		text := fmt.Sprintf("failed to allocate IP %v: %v", address, outOfRange(parsed))
		return invalid(service, field.Invalid(field.NewPath("spec", "clusterIPs"), service.Spec.ClusterIPs, text))
	}
	if NodePorts == nil {
		return nil
	}
	oldPorts := collectServiceNodePorts(old)
	refused := &portallocator.ErrNotInRange{ValidPorts: NodePorts.String()}
	if needsNodePort(service) {
		for i, port := range service.Spec.Ports {
			number := int(port.NodePort)
			if number == 0 || NodePorts.Contains(number) || containsNumber(oldPorts, number) {
				continue
			}
			return invalid(service, field.Invalid(field.NewPath("spec", "ports").Index(i).Child("nodePort"), number, refused.Error()))
		}
	}
	health := service.Spec.HealthCheckNodePort
	if needsHCNodePort(service) && health != 0 && health != old.Spec.HealthCheckNodePort && !NodePorts.Contains(int(health)) {
		return apierrors.NewInternalError(fmt.Errorf("failed to allocate requested HealthCheck NodePort %v: %v", health, refused))
	}
	return nil
}

func contains(address net.IP) bool {
	for _, each := range Addresses {
		if each.Contains(address) {
			return true
		}
	}
	return len(Addresses) == 0
}

func outOfRange(address net.IP) error {
	if utilfeature.DefaultFeatureGate.Enabled(features.MultiCIDRServiceAllocator) {
		return ipallocator.ErrMismatchedNetwork
	}
	return &ipallocator.ErrNotInRange{IP: address, ValidRange: Addresses[0].String()}
}

func invalid(service *api.Service, cause *field.Error) error {
	return apierrors.NewInvalid(api.Kind("Service"), service.Name, field.ErrorList{cause})
}

// unlimited stands for a range that contains every address.
type unlimited struct{ family api.IPFamily }

var errNotAllocated = errors.New("addresses are not allocated")

func (unlimited) Allocate(net.IP) error            { return nil }
func (unlimited) AllocateNext() (net.IP, error)    { return nil, errNotAllocated }
func (unlimited) Release(net.IP) error             { return nil }
func (unlimited) ForEach(func(net.IP))             {}
func (unlimited) CIDR() net.IPNet                  { return net.IPNet{} }
func (of unlimited) IPFamily() api.IPFamily        { return of.family }
func (unlimited) Has(net.IP) bool                  { return false }
func (unlimited) Destroy()                         {}
func (unlimited) EnableMetrics()                   {}
func (of unlimited) DryRun() ipallocator.Interface { return of }

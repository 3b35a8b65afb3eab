package storage

import (
	"errors"
	"net"

	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
)

// After and Before tell the two states of a Service apart, as in storage.go.
type After struct{ *api.Service }
type Before struct{ *api.Service }

// Families are the cluster's IP families; the first one is the default.
var Families = []api.IPFamily{api.IPv4Protocol}

// BeginCreate does what the REST storage does before the strategy. Addresses and ports are not allocated but have fixed values.
func BeginCreate(service *api.Service) error {
	normalizeClusterIPs(After{service}, Before{nil})
	allocators := ofCluster()
	if err := allocators.initIPFamilyFields(After{service}, Before{nil}); err != nil {
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

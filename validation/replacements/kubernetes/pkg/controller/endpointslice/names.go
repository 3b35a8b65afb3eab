package endpointslice

const (
	ControllerName = "endpointslice-controller.k8s.io"
)

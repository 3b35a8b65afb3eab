package endpointslicemirroring

const (
	ControllerName = "endpointslicemirroring-controller.k8s.io"
)

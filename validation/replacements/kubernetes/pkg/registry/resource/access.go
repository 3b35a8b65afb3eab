package resource

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	v1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/kubernetes/pkg/apis/resource"
)

// The originals ask the cluster for a Namespace's labels or for permissions. Neither is known here, so nothing is refused.

func AuthorizedForAdmin(context.Context, []resource.DeviceRequest, string, v1.NamespaceInterface) field.ErrorList {
	return nil
}

func AuthorizedForAdminStatus(context.Context, []resource.DeviceRequestAllocationResult, []resource.DeviceRequestAllocationResult, string, v1.NamespaceInterface) field.ErrorList {
	return nil
}

func AuthorizedForBinding(context.Context, *field.Path, authorizer.Authorizer, resource.ResourceClaimStatus, resource.ResourceClaimStatus) field.ErrorList {
	return nil
}

func AuthorizedForDeviceStatus(context.Context, *field.Path, authorizer.Authorizer, resource.ResourceClaimStatus, resource.ResourceClaimStatus) field.ErrorList {
	return nil
}

package resource

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	v1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/kubernetes/pkg/apis/resource"
)

// NamespaceLabels are those of the Namespace that the object is in.
var NamespaceLabels map[string]string

// AuthorizedForAdmin is the original, with NamespaceLabels instead of the stored Namespace.
func AuthorizedForAdmin(_ context.Context, requests []resource.DeviceRequest, _ string, _ v1.NamespaceInterface) field.ErrorList {
	if NamespaceLabels[resource.DRAAdminNamespaceLabelKey] == "true" {
		return nil
	}
	for i, each := range requests {
		if each.Exactly == nil || each.Exactly.AdminAccess == nil || !*each.Exactly.AdminAccess {
			continue
		}
		path := field.NewPath("spec", "devices", "requests").Index(i).Child("adminAccess")
		text := fmt.Sprintf("admin access to devices requires the `%s: true` label on the containing namespace", resource.DRAAdminNamespaceLabelKey)
		return field.ErrorList{field.Forbidden(path, text)}
	}
	return nil
}

// The originals of the following ask for permissions. None is known here, so nothing is refused.

func AuthorizedForAdminStatus(context.Context, []resource.DeviceRequestAllocationResult, []resource.DeviceRequestAllocationResult, string, v1.NamespaceInterface) field.ErrorList {
	return nil
}

func AuthorizedForBinding(context.Context, *field.Path, authorizer.Authorizer, resource.ResourceClaimStatus, resource.ResourceClaimStatus) field.ErrorList {
	return nil
}

func AuthorizedForDeviceStatus(context.Context, *field.Path, authorizer.Authorizer, resource.ResourceClaimStatus, resource.ResourceClaimStatus) field.ErrorList {
	return nil
}

package main

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	admissionregistrationv1 "k8s.io/kubernetes/pkg/apis/admissionregistration/v1"
	admissionregistrationv1beta1 "k8s.io/kubernetes/pkg/apis/admissionregistration/v1beta1"
	"k8s.io/kubernetes/pkg/apis/apps"
	appsv1 "k8s.io/kubernetes/pkg/apis/apps/v1"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	autoscalingv1 "k8s.io/kubernetes/pkg/apis/autoscaling/v1"
	autoscalingv2 "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
	"k8s.io/kubernetes/pkg/apis/batch"
	batchv1 "k8s.io/kubernetes/pkg/apis/batch/v1"
	"k8s.io/kubernetes/pkg/apis/certificates"
	certificatesv1 "k8s.io/kubernetes/pkg/apis/certificates/v1"
	"k8s.io/kubernetes/pkg/apis/coordination"
	coordinationv1 "k8s.io/kubernetes/pkg/apis/coordination/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/discovery"
	discoveryv1 "k8s.io/kubernetes/pkg/apis/discovery/v1"
	"k8s.io/kubernetes/pkg/apis/events"
	eventsv1 "k8s.io/kubernetes/pkg/apis/events/v1"
	"k8s.io/kubernetes/pkg/apis/flowcontrol"
	flowcontrolv1 "k8s.io/kubernetes/pkg/apis/flowcontrol/v1"
	"k8s.io/kubernetes/pkg/apis/networking"
	networkingv1 "k8s.io/kubernetes/pkg/apis/networking/v1"
	"k8s.io/kubernetes/pkg/apis/node"
	nodev1 "k8s.io/kubernetes/pkg/apis/node/v1"
	"k8s.io/kubernetes/pkg/apis/policy"
	policyv1 "k8s.io/kubernetes/pkg/apis/policy/v1"
	"k8s.io/kubernetes/pkg/apis/rbac"
	rbacv1 "k8s.io/kubernetes/pkg/apis/rbac/v1"
	"k8s.io/kubernetes/pkg/apis/resource"
	resourcev1 "k8s.io/kubernetes/pkg/apis/resource/v1"
	"k8s.io/kubernetes/pkg/apis/scheduling"
	schedulingv1 "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	"k8s.io/kubernetes/pkg/apis/storage"
	storagev1 "k8s.io/kubernetes/pkg/apis/storage/v1"
)

type apiVersion struct {
	version  schema.GroupVersion
	register func(*runtime.Scheme) error
}

// The served versions, the preferred one of a group first. The install packages of Kubernetes also register versions that no server serves.
var groups = []struct {
	internal func(*runtime.Scheme) error
	versions []apiVersion
}{
	{admissionregistration.AddToScheme, []apiVersion{
		{admissionregistrationv1.SchemeGroupVersion, admissionregistrationv1.AddToScheme},
		{admissionregistrationv1beta1.SchemeGroupVersion, admissionregistrationv1beta1.AddToScheme},
	}},
	{apps.AddToScheme, []apiVersion{{appsv1.SchemeGroupVersion, appsv1.AddToScheme}}},
	{autoscaling.AddToScheme, []apiVersion{
		{autoscalingv2.SchemeGroupVersion, autoscalingv2.AddToScheme},
		{autoscalingv1.SchemeGroupVersion, autoscalingv1.AddToScheme},
	}},
	{batch.AddToScheme, []apiVersion{{batchv1.SchemeGroupVersion, batchv1.AddToScheme}}},
	{certificates.AddToScheme, []apiVersion{{certificatesv1.SchemeGroupVersion, certificatesv1.AddToScheme}}},
	{coordination.AddToScheme, []apiVersion{{coordinationv1.SchemeGroupVersion, coordinationv1.AddToScheme}}},
	{core.AddToScheme, []apiVersion{{corev1.SchemeGroupVersion, corev1.AddToScheme}}},
	{discovery.AddToScheme, []apiVersion{{discoveryv1.SchemeGroupVersion, discoveryv1.AddToScheme}}},
	{events.AddToScheme, []apiVersion{{eventsv1.SchemeGroupVersion, eventsv1.AddToScheme}}},
	{flowcontrol.AddToScheme, []apiVersion{{flowcontrolv1.SchemeGroupVersion, flowcontrolv1.AddToScheme}}},
	{networking.AddToScheme, []apiVersion{{networkingv1.SchemeGroupVersion, networkingv1.AddToScheme}}},
	{node.AddToScheme, []apiVersion{{nodev1.SchemeGroupVersion, nodev1.AddToScheme}}},
	{policy.AddToScheme, []apiVersion{{policyv1.SchemeGroupVersion, policyv1.AddToScheme}}},
	{rbac.AddToScheme, []apiVersion{{rbacv1.SchemeGroupVersion, rbacv1.AddToScheme}}},
	{resource.AddToScheme, []apiVersion{{resourcev1.SchemeGroupVersion, resourcev1.AddToScheme}}},
	{scheduling.AddToScheme, []apiVersion{{schedulingv1.SchemeGroupVersion, schedulingv1.AddToScheme}}},
	{storage.AddToScheme, []apiVersion{{storagev1.SchemeGroupVersion, storagev1.AddToScheme}}},
}

func init() {
	scheme := legacyscheme.Scheme
	for _, group := range groups {
		must(group.internal(scheme))
		var priority []schema.GroupVersion
		for _, of := range group.versions {
			must(of.register(scheme))
			priority = append(priority, of.version)
		}
		must(scheme.SetVersionPriority(priority...))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Per-kind tables of creation: the common parts of the PrepareForCreate methods in upstream's pkg/registry.

/** Kinds by group (core kinds without a group) whose `metadata.generation` becomes 1, by release. Other kinds keep the written value. */
export const GENERATION_KINDS: readonly string[] = [
  'Pod@33-',
  'PodTemplate',
  'ReplicationController',
  'admissionregistration.k8s.io/MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apps/DaemonSet',
  'apps/Deployment',
  'apps/ReplicaSet',
  'apps/StatefulSet',
  'autoscaling/HorizontalPodAutoscaler@37-',
  'batch/CronJob',
  'batch/Job',
  'discovery.k8s.io/EndpointSlice',
  'flowcontrol.apiserver.k8s.io/FlowSchema',
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration',
  'lifecycle.k8s.io/Eviction',
  'lifecycle.k8s.io/EvictionRequest',
  'networking.k8s.io/Ingress',
  'networking.k8s.io/IngressClass',
  'networking.k8s.io/NetworkPolicy',
  'policy/PodDisruptionBudget',
  'resource.k8s.io/DeviceClass',
  'resource.k8s.io/DeviceTaintRule',
  'resource.k8s.io/ResourceSlice@31-',
  'scheduling.k8s.io/PriorityClass',
];

/** Kinds that keep the written status on creation. All others start with an empty status. */
export const WRITTEN_STATUS_KINDS: readonly string[] = ['Node', 'networking.k8s.io/ServiceCIDR@28-35'];

/** Requests in the form of objects: the server answers them without storing them, so they reach admission unchanged. */
export const UNSTORED_KINDS: readonly string[] = [
  'Binding',
  'ComponentStatus',
  'authentication.k8s.io/SelfSubjectReview',
  'authentication.k8s.io/TokenReview',
  'authorization.k8s.io/LocalSubjectAccessReview',
  'authorization.k8s.io/SelfSubjectAccessReview',
  'authorization.k8s.io/SelfSubjectRulesReview',
  'authorization.k8s.io/SubjectAccessReview',
];

// Fields dropped on creation, by release: the `Drop…DisabledFields` functions of upstream under the gates' defaults.

/** `struct field[@minors] …`, in the way of the generated table of structs. */
export const DROPPED_FIELDS: readonly string[] = [
  'apps/v1.RollingUpdateStatefulSetStrategy maxUnavailable@28-36',
  'coordination/v1.LeaseSpec preferredHolder strategy',
  'core/v1.NodeSpec configSource',
  'core/v1.NodeStatus config',
  'core/v1.PodSpec schedulingGroup',
  'core/v1.VolumeProjection clusterTrustBundle podCertificate',
  'resource/v1.Device nodeAllocatableResourceMappings',
  'resource/v1.DeviceAttribute bools ints strings versions',
  'resource/v1beta1.BasicDevice nodeAllocatableResourceMappings',
  'resource/v1beta1.DeviceAttribute bools ints strings versions',
  'resource/v1beta2.Device nodeAllocatableResourceMappings',
  'resource/v1beta2.DeviceAttribute bools ints strings versions',
  'scheduling/v1alpha2.PodGroupSpec disruptionMode priority priorityClassName resourceClaims schedulingConstraints',
  'scheduling/v1alpha2.PodGroupTemplate disruptionMode priority priorityClassName resourceClaims',
  'storage/v1.CSIDriverSpec preventPodSchedulingIfMissing',
];

// API versions that Kubernetes has removed, with the release and the replacement.
import { formatApiVersion, type GroupVersionKind, kindKey } from '../api/group-version.ts';

export interface RemovedVersion {
  /** First minor release without the version. */
  readonly removedIn: number;
  /** As written in a manifest; undefined without a replacement. */
  readonly replacement: string | undefined;
}

/** From the deprecation guide of Kubernetes, in its order: minor, removed apiVersion, replacement, kinds. */
const REMOVED: readonly (readonly [minor: number, apiVersion: string, replacement: string, kinds: string])[] = [
  [16, 'extensions/v1beta1', 'networking.k8s.io/v1', 'NetworkPolicy'],
  [16, 'extensions/v1beta1', 'apps/v1', 'DaemonSet Deployment ReplicaSet'],
  [16, 'apps/v1beta1', 'apps/v1', 'Deployment StatefulSet'],
  [16, 'apps/v1beta2', 'apps/v1', 'DaemonSet Deployment ReplicaSet StatefulSet'],
  [16, 'extensions/v1beta1', '', 'PodSecurityPolicy'],
  [
    22,
    'admissionregistration.k8s.io/v1beta1',
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
  ],
  [22, 'apiextensions.k8s.io/v1beta1', 'apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
  [22, 'apiregistration.k8s.io/v1beta1', 'apiregistration.k8s.io/v1', 'APIService'],
  [22, 'authentication.k8s.io/v1beta1', 'authentication.k8s.io/v1', 'TokenReview'],
  [
    22,
    'authorization.k8s.io/v1beta1',
    'authorization.k8s.io/v1',
    'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
  ],
  [22, 'certificates.k8s.io/v1beta1', 'certificates.k8s.io/v1', 'CertificateSigningRequest'],
  [22, 'coordination.k8s.io/v1beta1', 'coordination.k8s.io/v1', 'Lease'],
  [22, 'extensions/v1beta1', 'networking.k8s.io/v1', 'Ingress'],
  [22, 'networking.k8s.io/v1beta1', 'networking.k8s.io/v1', 'Ingress IngressClass'],
  [
    22,
    'rbac.authorization.k8s.io/v1beta1',
    'rbac.authorization.k8s.io/v1',
    'ClusterRole ClusterRoleBinding Role RoleBinding',
  ],
  [22, 'scheduling.k8s.io/v1beta1', 'scheduling.k8s.io/v1', 'PriorityClass'],
  [22, 'storage.k8s.io/v1beta1', 'storage.k8s.io/v1', 'CSIDriver CSINode StorageClass VolumeAttachment'],
  [25, 'batch/v1beta1', 'batch/v1', 'CronJob'],
  [25, 'discovery.k8s.io/v1beta1', 'discovery.k8s.io/v1', 'EndpointSlice'],
  [25, 'events.k8s.io/v1beta1', 'events.k8s.io/v1', 'Event'],
  [25, 'autoscaling/v2beta1', 'autoscaling/v2', 'HorizontalPodAutoscaler'],
  [25, 'policy/v1beta1', 'policy/v1', 'PodDisruptionBudget'],
  [25, 'policy/v1beta1', '', 'PodSecurityPolicy'],
  [25, 'node.k8s.io/v1beta1', 'node.k8s.io/v1', 'RuntimeClass'],
  [
    26,
    'flowcontrol.apiserver.k8s.io/v1beta1',
    'flowcontrol.apiserver.k8s.io/v1',
    'FlowSchema PriorityLevelConfiguration',
  ],
  [26, 'autoscaling/v2beta2', 'autoscaling/v2', 'HorizontalPodAutoscaler'],
  [27, 'storage.k8s.io/v1beta1', 'storage.k8s.io/v1', 'CSIStorageCapacity'],
  [
    29,
    'flowcontrol.apiserver.k8s.io/v1beta2',
    'flowcontrol.apiserver.k8s.io/v1',
    'FlowSchema PriorityLevelConfiguration',
  ],
  [
    32,
    'flowcontrol.apiserver.k8s.io/v1beta3',
    'flowcontrol.apiserver.k8s.io/v1',
    'FlowSchema PriorityLevelConfiguration',
  ],
];

/** Kubernetes groups that no release serves any more. */
const GONE_GROUPS: ReadonlySet<string> = new Set(['extensions']);

const BY_KIND = new Map<string, RemovedVersion>();
for (const [removedIn, apiVersion, replacement, kinds] of REMOVED) {
  const [group = '', version = ''] = apiVersion.split('/');
  for (const kind of kinds.split(' ')) {
    BY_KIND.set(kindKey({ group, version, kind }), { removedIn, replacement: replacement || undefined });
  }
}

/** Undefined for versions that never existed or are still served. */
export function removedVersion(gvk: GroupVersionKind): RemovedVersion | undefined {
  return BY_KIND.get(kindKey(gvk));
}

export function isGoneGroup(group: string): boolean {
  return GONE_GROUPS.has(group);
}

/** `apps/v1 Deployment`. */
export function describeVersionedKind({ group, version, kind }: GroupVersionKind): string {
  return `${formatApiVersion(group, version)} ${kind}`;
}

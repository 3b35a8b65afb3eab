// Built-in kinds with versions that differ only in their apiVersion, so that conversion means renaming.
import type { GroupVersionKind } from '../api/group-version.ts';

/**
 * Kinds that some supported release serves in several versions, found by converting fuzzed objects with upstream's
 * scheme. The other kinds differ: HorizontalPodAutoscaler, Event, PriorityLevelConfiguration, resource.k8s.io/v1beta1.
 */
const RENAMED: readonly (readonly [group: string, kinds: readonly string[], versions: readonly string[]])[] = [
  ['certificates.k8s.io', ['ClusterTrustBundle'], ['v1alpha1', 'v1beta1', 'v1']],
  ['coordination.k8s.io', ['LeaseCandidate'], ['v1alpha2', 'v1beta1']],
  ['flowcontrol.apiserver.k8s.io', ['FlowSchema'], ['v1beta2', 'v1beta3', 'v1']],
  ['networking.k8s.io', ['IPAddress', 'ServiceCIDR'], ['v1beta1', 'v1']],
  ['resource.k8s.io', ['DeviceClass'], ['v1beta1', 'v1beta2', 'v1']],
  ['resource.k8s.io', ['DeviceTaintRule'], ['v1alpha3', 'v1beta2', 'v1']],
  ['resource.k8s.io', ['ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'], ['v1beta2', 'v1']],
  ['scheduling.k8s.io', ['PodGroup', 'Workload'], ['v1alpha3', 'v1beta1']],
  ['storage.k8s.io', ['VolumeAttributesClass'], ['v1alpha1', 'v1beta1', 'v1']],
  ['storagemigration.k8s.io', ['StorageVersionMigration'], ['v1beta1', 'v1']],
];

export function isRenamed(from: GroupVersionKind, to: GroupVersionKind): boolean {
  if (from.group !== to.group || from.kind !== to.kind) return false;
  return RENAMED.some(
    ([group, kinds, versions]) =>
      group === from.group &&
      kinds.includes(from.kind) &&
      versions.includes(from.version) &&
      versions.includes(to.version),
  );
}

// Recognizes Kyverno's policies and exceptions. Imports no other Kyverno code.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { CEL_POLICY_GROUP } from '../cel-policy/cel-policy.ts';

export type CelKind =
  | 'ValidatingPolicy'
  | 'MutatingPolicy'
  | 'GeneratingPolicy'
  | 'DeletingPolicy'
  | 'ImageValidatingPolicy';

const CEL_KINDS: readonly CelKind[] = [
  'ValidatingPolicy',
  'MutatingPolicy',
  'GeneratingPolicy',
  'DeletingPolicy',
  'ImageValidatingPolicy',
];

/** Includes the namespaced kinds. */
const CEL_POLICY_KINDS: readonly string[] = CEL_KINDS.flatMap((kind) => [kind, `Namespaced${kind}`]);

const CLEANUP_POLICY_KINDS: readonly string[] = ['CleanupPolicy', 'ClusterCleanupPolicy'];

export const KYVERNO_KINDS: readonly string[] = [
  'ClusterPolicy',
  'Policy',
  'PolicyException',
  ...CLEANUP_POLICY_KINDS,
  ...CEL_POLICY_KINDS,
];

export function isCelPolicy({ gvk }: Resource): boolean {
  return gvk.group === CEL_POLICY_GROUP && CEL_POLICY_KINDS.includes(gvk.kind);
}

export function isCelException({ gvk }: Resource): boolean {
  return gvk.group === CEL_POLICY_GROUP && gvk.kind === 'PolicyException';
}

export function isCleanupPolicy({ gvk }: Resource): boolean {
  return gvk.group === 'kyverno.io' && CLEANUP_POLICY_KINDS.includes(gvk.kind);
}

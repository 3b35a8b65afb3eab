// Why the labels of a request's Namespace are unknown.
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { NamespaceFact } from './cluster.ts';

/**
 * `undefined`: no file defines it. `claimed`: only the judged change does, so the cluster may hold it with other labels.
 * `unnamed`: no file says which Namespace it is.
 */
export type OpenNamespaceReason = 'undefined' | 'claimed' | 'unnamed';

/** Undefined if the labels are known. */
export function openNamespaceReason(
  { resource, isClaimed }: Pick<NamespaceFact, 'resource' | 'isClaimed'>,
  { isNamespaceAssumed }: Pick<AdmissionRequest, 'isNamespaceAssumed'>,
): OpenNamespaceReason | undefined {
  if (isNamespaceAssumed === true) return 'unnamed';
  if (resource === undefined) return 'undefined';
  return isClaimed ? 'claimed' : undefined;
}

// Why the labels of a request's Namespace are unknown.
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { OpenNamespaceReason } from '../selector/open-labels.ts';
import type { NamespaceFact } from './cluster.ts';

/** Undefined if the labels are known. */
export function openNamespaceReason(
  { resource, isClaimed }: Pick<NamespaceFact, 'resource' | 'isClaimed'>,
  { isNamespaceAssumed }: Pick<AdmissionRequest, 'isNamespaceAssumed'>,
): OpenNamespaceReason | undefined {
  if (isNamespaceAssumed === true) return 'unnamed';
  if (resource === undefined) return 'undefined';
  return isClaimed ? 'claimed' : undefined;
}

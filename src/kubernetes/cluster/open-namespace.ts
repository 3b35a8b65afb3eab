// Why the labels of a request's Namespace are unknown.
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { OpenNamespaceLabels } from '../selector/open-labels.ts';
import type { NamespaceFact } from './cluster.ts';

/** Undefined if the labels are known. */
export function openNamespaceLabels(
  { resource, isClaimed, openPaths }: Pick<NamespaceFact, 'resource' | 'isClaimed' | 'openPaths'>,
  { isNamespaceAssumed }: Pick<AdmissionRequest, 'isNamespaceAssumed'>,
): OpenNamespaceLabels | undefined {
  if (isNamespaceAssumed !== true && resource !== undefined && !isClaimed && openPaths.length === 0) return undefined;
  const valueless = valuelessLabels(openPaths);
  if (isNamespaceAssumed === true) return { reason: 'unnamed', valueless };
  if (resource === undefined) return { reason: 'undefined', valueless };
  if (isClaimed) return { reason: 'claimed', valueless };
  return valueless.size === 0 ? undefined : { reason: 'valued', valueless };
}

/** The labels of a Namespace whose values the repository does not contain. */
export function valuelessLabels(openPaths: NamespaceFact['openPaths']): ReadonlySet<string> {
  const labels = openPaths.filter(
    ([first, second, key]) => first === 'metadata' && second === 'labels' && key !== undefined,
  );
  return new Set(labels.map(([, , key]) => String(key)));
}

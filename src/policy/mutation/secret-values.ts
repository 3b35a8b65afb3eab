// Whose values nobody is shown: what mutating policies read of a Secret they may write anywhere, in whatever form.
import { type GroupVersionKind, isSecretKind } from '../../kubernetes/api/group-version.ts';
import type { ObjectChangeByPolicy } from '../language/policy-language.ts';

/** True if what was written may come from a Secret: the object itself, one given as a param, or one that the policy looked at. */
export function mayHoldSecret(kind: GroupVersionKind, by: readonly ObjectChangeByPolicy[]): boolean {
  return (
    isSecretKind(kind) ||
    by.some(({ param, readsSecret }) => readsSecret === true || (param !== undefined && isSecretKind(param.gvk)))
  );
}

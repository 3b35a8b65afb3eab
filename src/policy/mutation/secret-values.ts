// Detects values that must not be displayed. A mutating policy may copy a Secret's data anywhere, in any form.
import { type GroupVersionKind, isSecretKind } from '../../kubernetes/api/group-version.ts';
import type { ObjectChangeByPolicy } from '../language/policy-language.ts';

/** True if the written value may come from a Secret: the object itself, a param, or an object that the policy looked up. */
export function mayHoldSecret(kind: GroupVersionKind, by: readonly ObjectChangeByPolicy[]): boolean {
  return isSecretKind(kind) || comesFromSecret(by);
}

/** True if the written value may come from another object that is a Secret. */
export function comesFromSecret(by: readonly ObjectChangeByPolicy[]): boolean {
  return by.some(({ param, readsSecret }) => readsSecret === true || (param !== undefined && isSecretKind(param.gvk)));
}

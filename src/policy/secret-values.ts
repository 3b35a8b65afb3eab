// Whose values nobody is shown: what mutating policies read of a Secret they may write anywhere, in whatever form.
import { type GroupVersionKind, isSecretKind } from '../kubernetes/group-version.ts';
import type { ObjectChangeByPolicy } from './policy-language.ts';

/** True if what was written may come from a Secret: of the object itself, or given as a param. */
export function mayHoldSecret(kind: GroupVersionKind, by: readonly ObjectChangeByPolicy[]): boolean {
  return isSecretKind(kind) || by.some(({ param }) => param !== undefined && isSecretKind(param.gvk));
}

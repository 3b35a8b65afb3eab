// Merges an expression's configuration into an object (apiserver `mutating/patch`: `ApplyStructuredMergeDiff`).
import type { JsonObject } from '../../source/json/json.ts';
import type { MergeType } from './merge-type.ts';
import type { PatchedObject } from './patch-target.ts';
import { holdsJson, type PatchObject } from './patch-value.ts';
import { structuredMerge } from './structured-merge.ts';
import { atomicPaths, typeMismatch } from './typed-value.ts';

export interface MergeOptions {
  /** Undefined if the kind has no schema; nothing can be merged into its objects then. */
  readonly mergeType: MergeType | undefined;
  /** True if the object comes from Go types, so that it matches the merge type and has every key. */
  readonly fits: boolean;
  /** True if the configuration may contain atomic lists and maps. */
  readonly mayReplace: boolean;
}

export function mergeConfiguration(
  configuration: PatchObject,
  object: JsonObject,
  { mergeType, fits, mayReplace }: MergeOptions,
): PatchedObject {
  if (mergeType === undefined) return { error: 'type converter must not be nil' };
  const misfit = typeMismatch(mergeType, configuration, false);
  if (misfit !== undefined) return { error: `failed to convert patch object to typed object: ${misfit}` };
  const atomics = mayReplace ? [] : atomicPaths(mergeType, configuration);
  if (atomics.length > 0) {
    const what = 'may not mutate atomic arrays, maps or structs';
    return { error: `invalid ApplyConfiguration: ${what}: ${atomics.join(', ')}` };
  }
  const liveMisfit = fits ? undefined : typeMismatch(mergeType, object, true);
  if (liveMisfit !== undefined) return { error: `failed to convert original object to typed object: ${liveMisfit}` };
  // An object that matches the type holds only JSON.
  if (!holdsJson(configuration)) return { error: 'failed to convert patch object to typed object' };
  return { object: structuredMerge(mergeType, object, configuration) as JsonObject };
}

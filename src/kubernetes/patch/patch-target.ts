// How to apply patches to objects of one kind: the interface between mutating policies and kinds.
import type { StructValue } from '../../cel/value/value.ts';
import type { JsonObject } from '../../source/json/json.ts';
import type { MergeType } from './merge-type.ts';
import type { PatchObject } from './patch-value.ts';

export type PatchedObject = { readonly object: JsonObject } | { readonly error: string };

/** Result of merging a configuration in one pass. */
export interface PlainMerge {
  /** As the server holds it, with defaults. The same object as before if nothing changed. */
  readonly object: JsonObject;
  /** Number of values that the configuration added, minus those it removed; undefined if defaulting may have removed some. */
  readonly brought: number | undefined;
}

export interface PatchTarget {
  /** Undefined if the server has no schema for this kind; the server then rejects every patch. */
  readonly mergeType: MergeType | undefined;
  /** True if only the metadata of the kind is known, so that the merge strategy of other lists is unknown. */
  readonly isAssumed: boolean;
  /** True for built-in kinds, which the server holds as Go types and converts after each mutation. */
  readonly isTyped: boolean;
  /**
   * Fast path: merges and converts in one pass if the value contains only fields, scalars and new elements. Undefined
   * in all other cases, including errors; the caller then merges step by step. Absent if the kind has no fast path.
   */
  mergePlain?(value: StructValue, before: JsonObject): PlainMerge | undefined;
  /**
   * Converts the result of merging `configuration` into `before` to the server's form, with defaults. May share
   * unchanged parts with `before`.
   */
  fromMerged(merged: JsonObject, before?: JsonObject, configuration?: PatchObject): PatchedObject;
  /** Decodes the result of a JSON patch on `before` strictly. The server reports a decoding error as a 500. */
  fromPatched(patched: JsonObject, before?: JsonObject): PatchedObject;
  /** For an object without a patch or merge: the server converts it too. */
  fromUnpatched(object: JsonObject): PatchedObject;
}
